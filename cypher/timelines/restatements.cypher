// The events that restate statements.
// param group_id  the group
// param ids       ids of the statements
// param statuses  standings to look among

CYPHER 25
UNWIND $ids AS id
MATCH (fact:Atom {group_id: $group_id, id: id})
MATCH (atom:Atom)
WHERE atom.timeline = fact.timeline AND atom.status IN $statuses AND atom.timeline_role = 'off' AND atom.stated_at_ms IS NOT NULL
  AND atom.restates = id
RETURN atom {
    .id, .timeline, .restates, .text, .value, .timeline_role, .origin, .user_id, at: atom.stated_at_ms,
    .status, .flags, .evidence_count, .restated, .counter_statements, .stated_by, .earlier,
    valid_from: atom.valid_from.epochMillis, valid_until: atom.valid_until.epochMillis,
    last_evidence_at: atom.last_evidence_at.epochMillis, conflict_since: atom.conflict_since.epochMillis,
    restated_at: atom.restated_at.epochMillis,
    opponents: []
  } AS fact
