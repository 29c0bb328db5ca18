// Finds what gives the same value on a timeline.

CYPHER 25
CREATE INDEX range_value IF NOT EXISTS
FOR (n:Atom)
ON (n.timeline, n.value_key)
