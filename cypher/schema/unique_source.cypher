// Within a group, one Source has an id.

CYPHER 25
CREATE CONSTRAINT unique_source IF NOT EXISTS
FOR (n:Source)
REQUIRE (n.group_id, n.id) IS UNIQUE
