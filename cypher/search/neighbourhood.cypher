// The candidates in full, and what stands next to the best of them: in their streams, and over entities they mention,
// and by what replaces, refines or contradicts them.
// Nothing that the viewer may not see is passed through or returned.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param statuses   standings to look among
// param ids        ids of the candidates
// param origins    ids of those to expand from
// param fan        most atoms to follow from one entity
// param most_joined  most statements to follow that replace, refine or contradict
// param known_at   instant up to which what the memory had learned counts, or null

CYPHER 25
CALL () {
  UNWIND $ids AS id
  MATCH (atom:Atom {group_id: $group_id, id: id})
  RETURN atom
  UNION
  UNWIND $origins AS id
  MATCH (:Atom {group_id: $group_id, id: id})-[:NEXT]-(atom:Atom)
  RETURN atom
  UNION
  UNWIND $origins AS id
  MATCH (:Atom {group_id: $group_id, id: id})-[:SUPERSEDES|REFINES|CONFLICTS_WITH]-(atom:Atom)
  RETURN atom LIMIT $most_joined
  UNION
  UNWIND $origins AS id
  MATCH (:Atom {group_id: $group_id, id: id})-[:MENTIONS]->(entity:Entity)
  WITH DISTINCT entity
  CALL (entity) {
    MATCH (entity)<-[:MENTIONS]-(atom:Atom)
    WHERE atom.audience IN $audiences AND atom.status IN $statuses
    RETURN atom LIMIT $fan
  }
  RETURN atom
}
WITH atom
WHERE atom.audience IN $audiences AND atom.status IN $statuses
  AND ($known_at IS NULL OR atom.recorded_at <= $known_at)
// include held
WHERE held.status IN $statuses
RETURN collect(atom {
    // include atom,
    .day, instant: atom.occurred_at.epochMillis,
    held_role: held.timeline_role, restated: held.restated, counter_statements: held.counter_statements,
    valid_from_ms: atom.valid_from.epochMillis, valid_until_ms: held.valid_until.epochMillis,
    last_evidence_ms: held.last_evidence_at.epochMillis, conflict_since_ms: held.conflict_since.epochMillis,
    restated_ms: held.restated_at.epochMillis,
    before: CASE WHEN $known_at IS NULL THEN NULL ELSE head(COLLECT {
      MATCH (decision:Decision)-[change:DECIDED]->(held) WHERE decision.at > $known_at
      RETURN change.before ORDER BY decision.sequence LIMIT 1
    }) END,
    later: COLLECT { MATCH (atom)-[:NEXT]->(later:Atom) WHERE later.audience IN $audiences RETURN later.id },
    joined: COLLECT {
      MATCH (atom)-[edge:SUPERSEDES|REFINES|CONFLICTS_WITH]->(other:Atom)
      WHERE other.audience IN $audiences AND edge.closed_at IS NULL
      RETURN [type(edge), other.id]
    }
  }) AS atoms
