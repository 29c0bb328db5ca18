// Within a group, one Record has an id.

CYPHER 25
CREATE CONSTRAINT unique_record IF NOT EXISTS
FOR (n:Record)
REQUIRE (n.group_id, n.id) IS UNIQUE
