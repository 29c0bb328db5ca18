// Keep vectors in a slot.
// param property  property of the slot's vectors
// param rows      vectors: {id, vector}

CYPHER 25
UNWIND $rows AS row
MATCH (node) WHERE elementId(node) = row.id
SET node[$property] = row.vector
RETURN count(node) AS written
