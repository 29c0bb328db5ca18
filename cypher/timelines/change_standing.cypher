// Give atoms the standing that was decided.
// param group_id  the group
// param changes   changes: {id, properties}

CYPHER 25
UNWIND $changes AS change
MATCH (atom:Atom {group_id: $group_id, id: change.id})
SET atom += change.properties
RETURN count(atom) AS changed
