// One group has a name.

CYPHER 25
CREATE CONSTRAINT unique_group IF NOT EXISTS
FOR (n:Group)
REQUIRE n.id IS UNIQUE
