// The statements of timelines in order of time.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param timelines  ids of the timelines
// param roles      what they do there; what restates shows nothing of its own, and may be very much
// param known_at   instant up to which the memory's knowledge counts, or null

CYPHER 25
MATCH (atom:Atom)
WHERE atom.timeline IN $timelines AND atom.timeline_role IN $roles AND atom.stated_at_ms IS NOT NULL AND atom.group_id = $group_id AND atom.audience IN $audiences
  AND ($known_at IS NULL OR atom.recorded_at <= $known_at)
CALL (atom) {
  MATCH (decision:Decision)-[change:DECIDED]->(atom)
  WHERE decision.at > $known_at AND change.before IS NOT NULL
  RETURN change.before AS before ORDER BY decision.sequence LIMIT 1
  UNION ALL
  RETURN NULL AS before
}
WITH atom, head(collect(before)) AS before
RETURN atom {
    .id, .timeline, .sequence, .text, .value, .timeline_role, .restates, .audience, .origin, .user_id, at: atom.stated_at_ms, before: before,
    .status, .flags, .evidence_count, .restated, .counter_statements, .stated_by, .earlier,
    valid_from: atom.valid_from.epochMillis, valid_until: atom.valid_until.epochMillis,
    last_evidence_at: atom.last_evidence_at.epochMillis, conflict_since: atom.conflict_since.epochMillis,
    restated_at: atom.restated_at.epochMillis
  } AS fact
ORDER BY fact.at, fact.sequence
