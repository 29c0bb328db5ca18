// Within a group, one Subject has an id.

CYPHER 25
CREATE CONSTRAINT unique_subject IF NOT EXISTS
FOR (n:Subject)
REQUIRE (n.group_id, n.id) IS UNIQUE
