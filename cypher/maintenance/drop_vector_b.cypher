// Drop the vector index of slot b, to make it for another dimension.

CYPHER 25
DROP INDEX vector_b IF EXISTS
