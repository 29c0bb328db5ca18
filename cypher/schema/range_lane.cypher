// Finds the readings of one source and key in order of time.

CYPHER 25
CREATE INDEX range_lane IF NOT EXISTS
FOR (n:Atom)
ON (n.lane, n.stated_at_ms)
