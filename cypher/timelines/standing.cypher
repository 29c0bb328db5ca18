// An atom's statement and standing, for a correction by a person.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param id         id of the atom

CYPHER 25
MATCH (atom:Atom {group_id: $group_id, id: $id})
WHERE atom.audience IN $audiences
RETURN atom {
    .id, .timeline, .lane, .sequence, .text, .value, .act, .timeline_role, .restates, .origin, .user_id, source_id: atom.source_node_id, at: atom.stated_at_ms,
    .status, .flags, .evidence_count, .restated, .counter_statements, .stated_by, .earlier,
    valid_from: atom.valid_from.epochMillis, valid_until: atom.valid_until.epochMillis,
    last_evidence_at: atom.last_evidence_at.epochMillis, conflict_since: atom.conflict_since.epochMillis,
    restated_at: atom.restated_at.epochMillis,
    supersedes: COLLECT { MATCH (atom)-[:SUPERSEDES]->(other:Atom) RETURN other.id },
    refines: COLLECT { MATCH (atom)-[:REFINES]->(other:Atom) RETURN other.id },
    opponents: COLLECT {
      MATCH (atom)-[edge:CONFLICTS_WITH]-(other:Atom) WHERE edge.closed_at IS NULL RETURN other.id
    }
  } AS fact, atom.subject_id AS subject_id, atom.subject AS subject
