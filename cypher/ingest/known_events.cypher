// Which events of a batch are known already, and with what content.
// param group_id   the group
// param event_ids  ids of the events

CYPHER 25
UNWIND $event_ids AS event_id
MATCH (atom:Atom {group_id: $group_id, event_id: event_id})
RETURN event_id, atom.id AS atom_id, atom.content_hash AS content_hash, atom.status AS status
