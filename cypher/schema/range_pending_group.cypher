// Finds what waits for its vector in a group.

CYPHER 25
CREATE INDEX range_pending_group IF NOT EXISTS
FOR (n:Pending)
ON (n.group_id)
