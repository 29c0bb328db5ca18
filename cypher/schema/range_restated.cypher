// Finds what was said again on a timeline and did not become an atom: the decisions that say so.

CYPHER 25
CREATE INDEX range_restated IF NOT EXISTS
FOR (n:Decision)
ON (n.timeline, n.stated_at_ms)
