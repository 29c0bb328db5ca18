// The candidates in full, and what stands next to the best of them: in their streams, and over entities they mention.
// Nothing that the viewer may not see is passed through or returned.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param statuses   standings to look among
// param ids        ids of the candidates
// param origins    ids of those to expand from
// param fan        most atoms to follow from one entity

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
RETURN collect(atom {
    .id, .event_id, .text, .user_id, .subject, .visibility, .origin, .language, .status, .importance, .urgency,
    .confidence, .occurred_precision, .conversation_id, .key, .value, .related_users, .metadata, .day,
    occurred_at: atom.occurred_iso,
    instant: atom.occurred_at.epochMillis,
    mentioned_from: toString(atom.mentioned_from),
    mentioned_to: toString(atom.mentioned_to),
    recorded_at: toString(atom.recorded_at),
    later: COLLECT { MATCH (atom)-[:NEXT]->(later:Atom) WHERE later.audience IN $audiences RETURN later.id },
    mentions: COLLECT { MATCH (atom)-[:MENTIONS]->(e:Entity) RETURN {id: e.id, name: e.name} },
    sources: COLLECT {
      MATCH (atom)-[:OBSERVED_BY]->(s:Source)-[:OWNED_BY]->(u:User)
      RETURN {id: s.id, name: s.name, kind: s.kind, user_id: u.id}
    },
    quotes: COLLECT {
      MATCH (atom)-[q:QUOTED_FROM]->(r:Record) RETURN {record_id: r.id, record: r.name, quote: q.quote}
    }
  }) AS atoms
