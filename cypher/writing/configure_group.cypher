// Keep the settings of a group.
// param group_id   the group
// param settings   time_zone, key_kinds, key_kinds_kinds, external, stale_days, stale_keys, stale_keys_days

CYPHER 25
MERGE (group:Group {id: $group_id})
  ON CREATE SET group.time_zone = 'UTC'
SET group += $settings
RETURN group.time_zone AS time_zone
