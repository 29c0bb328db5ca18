// Lock the streams that a batch enters, in sorted order, so that writers wait for each other and do not deadlock.
// param group_id  the group
// param streams   ids of the streams, sorted

CYPHER 25
MERGE (group:Group {id: $group_id})
  ON CREATE SET group.time_zone = 'UTC'
WITH group
MATCH (meta:Schema {id: 'fusegraph'})
UNWIND $streams AS id
MERGE (stream:Stream {group_id: $group_id, id: id})
SET stream.writes = coalesce(stream.writes, 0) + 1
RETURN meta.slot AS slot, count(stream) AS locked
