// The statements that decide what becomes of a new one with a key: what is current on its timeline, above all the same
// value, the value said directly before it, and what was said directly after it.
// param group_id  the group
// param places    places on timelines: {timeline, at, value_key}
// param most      most current statements of a timeline to return, the newest first

CYPHER 25
UNWIND $places AS place
CALL (place) {
  // Each by one seek in the index's order: events that restate stand on the timeline, too, and may be very many.
  UNWIND ['active', 'conflict'] AS status
  UNWIND ['value', 'addition', 'end'] AS timeline_role
  CALL (place, status, timeline_role) {
    // Another index would read the whole history of the timeline.
    MATCH (atom:Atom)
    USING INDEX atom:Atom(timeline, status, timeline_role, stated_at_ms)
    WHERE atom.timeline = place.timeline AND atom.status = status AND atom.timeline_role = timeline_role AND atom.stated_at_ms IS NOT NULL
    RETURN atom ORDER BY atom.timeline DESC, atom.status DESC, atom.timeline_role DESC, atom.stated_at_ms DESC LIMIT $most
  }
  RETURN atom
  UNION
  MATCH (atom:Atom)
  WHERE atom.timeline = place.timeline AND atom.value_key = place.value_key AND atom.status IN ['active', 'conflict']
  RETURN atom LIMIT $most
  UNION
  MATCH (atom:Atom)
  WHERE atom.timeline = place.timeline AND atom.timeline_role = 'value' AND atom.stated_at_ms <= place.at
  RETURN atom ORDER BY atom.timeline DESC, atom.timeline_role DESC, atom.stated_at_ms DESC LIMIT 1
  UNION
  MATCH (atom:Atom)
  WHERE atom.timeline = place.timeline AND atom.timeline_role = 'value' AND atom.stated_at_ms > place.at
  RETURN atom ORDER BY atom.timeline, atom.timeline_role, atom.stated_at_ms LIMIT 1
  UNION
  MATCH (atom:Atom)
  WHERE atom.timeline = place.timeline AND atom.timeline_role = 'end' AND atom.stated_at_ms > place.at
  RETURN atom ORDER BY atom.timeline, atom.timeline_role, atom.stated_at_ms LIMIT 1
}
WITH DISTINCT atom
WHERE atom.group_id = $group_id
RETURN atom {
    .id, .timeline, .text, .value, .timeline_role, .origin, .user_id, at: atom.stated_at_ms,
    .status, .flags, .evidence_count, .restated, .counter_statements, .stated_by, .restates, .earlier,
    valid_from: atom.valid_from.epochMillis, valid_until: atom.valid_until.epochMillis,
    last_evidence_at: atom.last_evidence_at.epochMillis, conflict_since: atom.conflict_since.epochMillis,
    restated_at: atom.restated_at.epochMillis,
    opponents: COLLECT {
      MATCH (atom)-[edge:CONFLICTS_WITH]-(other:Atom) WHERE edge.closed_at IS NULL RETURN other.id
    }
  } AS fact
