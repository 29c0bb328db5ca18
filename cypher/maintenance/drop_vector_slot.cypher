// Drop the vector index of a slot, to make it for another dimension.

CYPHER 25
DROP INDEX vector_slot IF EXISTS
