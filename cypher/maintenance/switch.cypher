// Read from another slot from now on: its vectors are complete, and who has one waits for none.
// param slot       slot of the vectors in use
// param model      name of the embedding model
// param dimension  length of its vectors

CYPHER 25
MATCH (meta:Schema {id: 'fusegraph'})
SET meta.slot = $slot, meta.model = $model, meta.dimension = $dimension
WITH meta
CALL () {
  MATCH (node:Pending)
  WHERE node['embedding_' + $slot] IS NOT NULL
  REMOVE node:Pending
  RETURN count(node) AS waited
}
RETURN meta.slot AS slot
