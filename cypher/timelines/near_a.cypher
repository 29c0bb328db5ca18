// Current statements of the same subject that are near in meaning to new ones without a key, with vectors of slot a.
// param group_id  the group
// param claims    new statements: {id, subject_id, audience, vector, text_key}
// param statuses  standings to look among
// param most      most neighbours of each

CYPHER 25
UNWIND $claims AS claim
CALL (claim) {
  MATCH (atom:Atom|Cluster)
    SEARCH atom IN (
      VECTOR INDEX vector_a FOR claim.vector
      WHERE atom.group_id = $group_id AND atom.audience = claim.audience AND atom.subject_id = claim.subject_id
        AND atom.status IN $statuses
      LIMIT $most
    ) SCORE AS score
  RETURN atom
  UNION
  MATCH (atom:Atom)
  WHERE atom.subject_id = claim.subject_id AND atom.text_key = claim.text_key AND atom.status IN $statuses
  RETURN atom LIMIT $most
}
WITH claim, atom
WHERE atom.group_id = $group_id AND atom.timeline_role <> 'off'
RETURN claim.id AS claim, atom {
    .id, .timeline, .text, .value, .timeline_role, .origin, .user_id, at: atom.stated_at_ms,
    .status, .flags, .evidence_count, .restated, .counter_statements, .stated_by, .restates, .earlier,
    valid_from: atom.valid_from.epochMillis, valid_until: atom.valid_until.epochMillis,
    last_evidence_at: atom.last_evidence_at.epochMillis, conflict_since: atom.conflict_since.epochMillis,
    restated_at: atom.restated_at.epochMillis,
    opponents: COLLECT {
      MATCH (atom)-[edge:CONFLICTS_WITH]-(other:Atom) WHERE edge.closed_at IS NULL RETURN other.id
    }
  } AS fact
