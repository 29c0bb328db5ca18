// One node says which schema and which embedding model this database was made for.

CYPHER 25
CREATE CONSTRAINT unique_schema IF NOT EXISTS
FOR (n:Schema)
REQUIRE n.id IS UNIQUE
