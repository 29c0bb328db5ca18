// For which schema and embedding model this database was made.

CYPHER 25
MATCH (meta:Schema {id: 'fusegraph'})
RETURN meta.version AS version, meta.slot AS slot, meta.model AS model, meta.dimension AS dimension,
  meta.filling AS filling
