// Drop the vector index of slot a, to make it for another dimension.

CYPHER 25
DROP INDEX vector_a IF EXISTS
