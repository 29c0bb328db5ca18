// Within a group, one Atom has an id.

CYPHER 25
CREATE CONSTRAINT unique_atom IF NOT EXISTS
FOR (n:Atom)
REQUIRE (n.group_id, n.id) IS UNIQUE
