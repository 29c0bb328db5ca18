// Atoms whose window is not made of their own text and of what the neighbours in reach may lend, private text above all.
// param limit  most offenders to return

CYPHER 25
MATCH (atom:Atom)
WHERE atom.window IS NOT NULL
OPTIONAL MATCH (atom)<-[:NEXT]-(before:Atom)
OPTIONAL MATCH (atom)-[:NEXT]->(after:Atom)
OPTIONAL MATCH (before)<-[:NEXT]-(earlier:Atom)
OPTIONAL MATCH (after)-[:NEXT]->(later:Atom)
WITH atom, [
  {near: atom, copies: CASE WHEN size(atom.text) <= 2000 THEN 4 ELSE 1 END},
  {near: before, copies: 2}, {near: after, copies: 2}, {near: earlier, copies: 1}, {near: later, copies: 1}
] AS parts
WITH atom, [part IN parts WHERE part.near = atom
  OR (size(part.near.text) <= 2000 AND part.near.audience IN ['group', atom.audience])] AS parts
WITH atom, reduce(window = '', part IN parts |
  window + reduce(copied = '', copy IN range(1, part.copies) | copied + '\n' + part.near.text)) AS expected
WHERE '\n' + atom.window <> expected
RETURN atom.group_id AS group_id, atom.id AS id, size(atom.window) AS size, size(expected) - 1 AS expected
LIMIT $limit
