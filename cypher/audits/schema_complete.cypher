// Declared indexes and constraints that are missing or do not answer.
// param declared  names of all that the schema declares
// param limit     most offenders to return

CYPHER 25
SHOW INDEXES YIELD name, state
WITH collect(CASE WHEN state = 'ONLINE' THEN name END) AS online
UNWIND $declared AS name
WITH name, online WHERE NOT name IN online
RETURN name AS missing
LIMIT $limit
