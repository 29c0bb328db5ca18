// Finds what is current on a timeline, by its value.

CYPHER 25
CREATE INDEX range_current IF NOT EXISTS
FOR (n:Atom)
ON (n.timeline, n.status, n.value_key)
