// Lists a group's atoms in the order in which the memory learned them.

CYPHER 25
CREATE INDEX range_recorded IF NOT EXISTS
FOR (n:Atom)
ON (n.group_id, n.recorded_order)
