// Finds what is current on a timeline, by what it does there, in order of time.

CYPHER 25
CREATE INDEX range_current IF NOT EXISTS
FOR (n:Atom)
ON (n.timeline, n.status, n.timeline_role, n.stated_at_ms)
