// Within a group, one Entity has an id.

CYPHER 25
CREATE CONSTRAINT unique_entity IF NOT EXISTS
FOR (n:Entity)
REQUIRE (n.group_id, n.id) IS UNIQUE
