// Within a group, one Decision has an id.

CYPHER 25
CREATE CONSTRAINT unique_decision IF NOT EXISTS
FOR (n:Decision)
REQUIRE (n.group_id, n.id) IS UNIQUE
