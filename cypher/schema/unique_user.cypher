// Within a group, one User has an id.

CYPHER 25
CREATE CONSTRAINT unique_user IF NOT EXISTS
FOR (n:User)
REQUIRE (n.group_id, n.id) IS UNIQUE
