// Finds the statements of a timeline in order of time, by what they do there.

CYPHER 25
CREATE INDEX range_timeline IF NOT EXISTS
FOR (n:Atom)
ON (n.timeline, n.timeline_role, n.stated_at_ms)
