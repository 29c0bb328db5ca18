// The settings of a group.
// param group_id  the group

CYPHER 25
MATCH (group:Group {id: $group_id})
RETURN group {.time_zone, .many_valued, .key_kinds, .key_kinds_kinds, .external, .stale_days, .stale_keys, .stale_keys_days} AS settings
