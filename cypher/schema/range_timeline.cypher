// Finds the statements of a timeline in order of time.

CYPHER 25
CREATE INDEX range_timeline IF NOT EXISTS
FOR (n:Atom)
ON (n.timeline, n.said_ms)
