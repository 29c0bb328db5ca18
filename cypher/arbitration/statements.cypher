// The statements that decide what becomes of a new one with a key: what is current on its timeline, above all the same
// value, and the values said directly before and after it.
// param group_id  the group
// param places    places on timelines: {timeline, at, value_key}
// param most      most current statements of a timeline to return, the newest first

CYPHER 25
UNWIND $places AS place
CALL (place) {
  MATCH (atom:Atom)
  WHERE atom.timeline = place.timeline AND atom.status IN ['active', 'conflict']
  RETURN atom ORDER BY atom.said_ms DESC LIMIT $most
  UNION
  MATCH (atom:Atom)
  WHERE atom.timeline = place.timeline AND atom.value_key = place.value_key AND atom.status IN ['active', 'conflict']
  RETURN atom ORDER BY atom.said_ms DESC LIMIT $most
  UNION
  MATCH (atom:Atom)
  WHERE atom.timeline = place.timeline AND atom.said_ms <= place.at AND atom.stance = 'value'
  RETURN atom ORDER BY atom.said_ms DESC LIMIT 1
  UNION
  MATCH (atom:Atom)
  WHERE atom.timeline = place.timeline AND atom.said_ms > place.at AND atom.stance = 'value'
  RETURN atom ORDER BY atom.said_ms ASC LIMIT 1
}
WITH DISTINCT atom
WHERE atom.group_id = $group_id
RETURN atom {
    .id, .timeline, .text, .value, .stance, .origin, .user_id, at: atom.said_ms,
    .status, .flags, .evidence_count, .restated, .opposed,
    valid_from: atom.valid_from.epochMillis, valid_until: atom.valid_until.epochMillis,
    last_evidence_at: atom.last_evidence_at.epochMillis, conflict_since: atom.conflict_since.epochMillis,
    restated_at: atom.restated_at.epochMillis,
    opponents: COLLECT {
      MATCH (atom)-[edge:CONFLICTS_WITH]-(other:Atom) WHERE edge.closed_at IS NULL RETURN other.id
    }
  } AS fact
