// Say for which schema and embedding model this database was made, unless it says so already.
// param version    version of the schema
// param slot       slot of the vectors in use
// param model      name of the embedding model
// param dimension  length of its vectors

CYPHER 25
MERGE (meta:Schema {id: 'fusegraph'})
  ON CREATE SET meta.version = $version, meta.slot = $slot, meta.model = $model, meta.dimension = $dimension
RETURN meta.version AS version, meta.slot AS slot, meta.model AS model, meta.dimension AS dimension
