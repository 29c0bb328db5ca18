// Atoms whose window is not made of their own text and of what neighbours in reach may lend: so of private text too.
// param limit  most offenders to return

CYPHER 25
MATCH (atom:Atom)
WHERE atom.window IS NOT NULL
OPTIONAL MATCH (atom)-[:NEXT]-(near:Atom)
  WHERE near.audience IN ['group', atom.audience]
WITH atom, collect(left(near.text, 2000)) AS near
OPTIONAL MATCH (atom)-[:NEXT]->()-[:NEXT]->(later:Atom)
  WHERE later.audience IN ['group', atom.audience]
OPTIONAL MATCH (atom)<-[:NEXT]-()<-[:NEXT]-(earlier:Atom)
  WHERE earlier.audience IN ['group', atom.audience]
WITH atom, near, [text IN [left(earlier.text, 2000), left(later.text, 2000)] WHERE text IS NOT NULL] AS far
WITH atom,
  reduce(size = size(atom.text) + 3 * (1 + size(left(atom.text, 2000))), text IN near | size + 2 * (1 + size(text)))
    AS near_size, far, near
WITH atom, reduce(size = near_size, text IN far | size + 1 + size(text)) AS expected, near + far AS lent
WHERE size(atom.window) <> expected
   OR NOT atom.window STARTS WITH atom.text
   OR any(text IN lent WHERE NOT atom.window CONTAINS text)
RETURN atom.group_id AS group_id, atom.id AS id, size(atom.window) AS size, expected
LIMIT $limit
