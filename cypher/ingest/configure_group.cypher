// Keep the settings of a group.
// param group_id   the group
// param time_zone  IANA name of the zone in which naive times are read

CYPHER 25
MERGE (group:Group {id: $group_id})
SET group.time_zone = $time_zone
RETURN group.time_zone AS time_zone
