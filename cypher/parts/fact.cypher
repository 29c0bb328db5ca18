// A statement as the decision takes it: what was said, how it stands, and its edges to others.
    .id, .timeline, .lane, .sequence, .text, .value, .act, .timeline_role, .restates, .origin, .user_id,
    source_id: atom.source_node_id, at: atom.stated_at_ms,
    .status, .flags, .evidence_count, .restated, .counter_statements, .stated_by, .earlier,
    valid_from: atom.valid_from.epochMillis, valid_until: atom.valid_until.epochMillis,
    last_evidence_at: atom.last_evidence_at.epochMillis, conflict_since: atom.conflict_since.epochMillis,
    restated_at: atom.restated_at.epochMillis,
    supersedes: COLLECT { MATCH (atom)-[:SUPERSEDES]->(other:Atom) RETURN other.id },
    refines: COLLECT { MATCH (atom)-[:REFINES]->(other:Atom) RETURN other.id },
    opponents: COLLECT {
      MATCH (atom)-[edge:CONFLICTS_WITH]-(other:Atom) WHERE edge.closed_at IS NULL RETURN other.id
    }
