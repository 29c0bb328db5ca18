// Which events of a batch are known already, with what content, and who may see them; and which ids a statement bears
// that became no atom.
// param group_id  the group
// param events    events: {event_id, decision_id}

CYPHER 25
UNWIND $events AS event
OPTIONAL MATCH (atom:Atom {group_id: $group_id, event_id: event.event_id})
OPTIONAL MATCH (decision:Decision {group_id: $group_id, id: event.decision_id})
WITH event, atom, decision
WHERE atom IS NOT NULL OR decision IS NOT NULL
RETURN event.event_id AS event_id, coalesce(atom.content_hash, '') AS content_hash, coalesce(atom.status, '') AS status,
  coalesce(atom.audience, decision.audience) AS audience
