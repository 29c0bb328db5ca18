// Read from another slot from now on: its vectors are complete.
// param slot       slot of the vectors in use
// param model      name of the embedding model
// param dimension  length of its vectors

CYPHER 25
MATCH (meta:Schema {id: 'fusegraph'})
SET meta.slot = $slot, meta.model = $model, meta.dimension = $dimension
RETURN meta.slot AS slot
