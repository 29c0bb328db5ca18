// The version of the Graph Data Science plugin.

CYPHER 25
RETURN gds.version() AS version
