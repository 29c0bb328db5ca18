// Finds what gives the same value on a timeline, by its standing and by what it does there: what restates may be very much.

CYPHER 25
CREATE INDEX range_value IF NOT EXISTS
FOR (n:Atom)
ON (n.timeline, n.value_key, n.status, n.timeline_role)
