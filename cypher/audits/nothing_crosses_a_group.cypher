// Edges between nodes of two groups.
// param limit  most offenders to return

CYPHER 25
MATCH (from)-[edge]->(to)
WHERE coalesce(from.group_id, '') <> coalesce(to.group_id, '') OR from.group_id IS NULL
RETURN from.group_id AS group_id, from.id AS id, type(edge) AS edge, to.group_id AS other_group_id, to.id AS other_id
LIMIT $limit
