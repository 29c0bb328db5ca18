// Keep vectors in a slot; who has one in the slot in use waits for none any more. Each is a transaction of its own: whoever
// holds one node and waits for none cannot be part of a deadlock with those who write the same atoms.
// param property  property of the slot's vectors
// param rows      vectors: {id, vector}

CYPHER 25
UNWIND $rows AS row
CALL (row) {
  MATCH (meta:Schema {id: 'fusegraph'})
  MATCH (node) WHERE elementId(node) = row.id
  SET node[$property] = row.vector
  FOREACH (_ IN CASE WHEN $property = 'embedding_' + meta.slot THEN [1] ELSE [] END | REMOVE node:Pending)
} IN TRANSACTIONS OF 1 ROW
RETURN count(*) AS written
