// Within a group, one Stream has an id.

CYPHER 25
CREATE CONSTRAINT unique_stream IF NOT EXISTS
FOR (n:Stream)
REQUIRE (n.group_id, n.id) IS UNIQUE
