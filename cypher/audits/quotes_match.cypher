// Quotes that do not stand in their record.
// param limit  most offenders to return

CYPHER 25
MATCH (atom:Atom)-[from:QUOTED_FROM]->(record:Record)
WHERE from.quote IS NOT NULL AND (record.text IS NULL OR NOT record.text CONTAINS from.quote)
RETURN atom.group_id AS group_id, atom.id AS id, record.id AS record_id
LIMIT $limit
