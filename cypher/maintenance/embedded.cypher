// Keep vectors in a slot; who has one in the slot in use waits for none any more.
// param property  property of the slot's vectors
// param rows      vectors: {id, vector}

CYPHER 25
MATCH (meta:Schema {id: 'fusegraph'})
UNWIND $rows AS row
MATCH (node) WHERE elementId(node) = row.id
SET node[$property] = row.vector
FOREACH (_ IN CASE WHEN $property = 'embedding_' + meta.slot THEN [1] ELSE [] END | REMOVE node:Pending)
RETURN count(node) AS written
