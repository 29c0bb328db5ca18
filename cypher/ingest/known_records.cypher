// The records that a batch quotes, where they are known already.
// param group_id    the group
// param record_ids  ids of the records

CYPHER 25
UNWIND $record_ids AS record_id
MATCH (record:Record {group_id: $group_id, id: record_id})
RETURN record_id, record.text AS text, record.audience AS audience
