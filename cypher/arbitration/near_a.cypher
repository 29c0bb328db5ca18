// Current statements of the same subject that are near in meaning to new ones without a key, with vectors of slot a.
// param group_id  the group
// param claims    new statements: {id, about, audience, vector, said_key}
// param statuses  standings to look among
// param most      most neighbours of each

CYPHER 25
UNWIND $claims AS claim
CALL (claim) {
  MATCH (atom:Atom|Cluster)
    SEARCH atom IN (
      VECTOR INDEX vector_a FOR claim.vector
      WHERE atom.group_id = $group_id AND atom.audience = claim.audience AND atom.about = claim.about
        AND atom.status IN $statuses
      LIMIT $most
    ) SCORE AS score
  RETURN atom
  UNION
  MATCH (atom:Atom)
  WHERE atom.about = claim.about AND atom.said_key = claim.said_key AND atom.status IN $statuses
  RETURN atom LIMIT $most
}
WITH claim, atom
WHERE atom.group_id = $group_id AND atom.stance <> 'aside'
RETURN claim.id AS claim, atom {
    .id, .timeline, .text, .value, .stance, .origin, .user_id, at: atom.said_ms,
    .status, .flags, .evidence_count, .restated, .opposed, .stated_by,
    valid_from: atom.valid_from.epochMillis, valid_until: atom.valid_until.epochMillis,
    last_evidence_at: atom.last_evidence_at.epochMillis, conflict_since: atom.conflict_since.epochMillis,
    restated_at: atom.restated_at.epochMillis,
    opponents: COLLECT {
      MATCH (atom)-[edge:CONFLICTS_WITH]-(other:Atom) WHERE edge.closed_at IS NULL RETURN other.id
    }
  } AS fact
