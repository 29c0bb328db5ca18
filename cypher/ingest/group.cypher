// The settings of a group.
// param group_id  the group

CYPHER 25
MATCH (group:Group {id: $group_id})
RETURN group.time_zone AS time_zone
