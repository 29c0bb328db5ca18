// Note with which model a slot is being filled; a run that was broken off is taken up where it stopped.
// param filling  slot and model

CYPHER 25
MATCH (meta:Schema {id: 'fusegraph'})
WITH meta, meta.filling AS before
SET meta.filling = $filling
RETURN before
