// Atoms without a record, or without a source that belongs to the atom's user.
// param limit  most offenders to return

CYPHER 25
MATCH (atom:Atom)
WHERE NOT EXISTS { (atom)-[:QUOTED_FROM]->(:Record) }
   OR NOT EXISTS { MATCH (atom)-[:OBSERVED_BY]->(:Source)-[:OWNED_BY]->(user:User) WHERE user.id = atom.user_id }
RETURN atom.group_id AS group_id, atom.id AS id
LIMIT $limit
