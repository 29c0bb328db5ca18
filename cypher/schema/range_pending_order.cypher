// Finds what waits for its vector, in the order in which it was recorded.

CYPHER 25
CREATE INDEX range_pending_order IF NOT EXISTS
FOR (n:Pending)
ON (n.recorded_order)
