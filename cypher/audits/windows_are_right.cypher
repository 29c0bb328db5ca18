// Atoms whose window is not made of their own text and of what neighbours in reach may lend: so of private text too.
// param limit  most offenders to return

CYPHER 25
MATCH (atom:Atom)
WHERE atom.window IS NOT NULL
CALL (atom) {
  MATCH (atom)-[:NEXT]-(near:Atom)
  RETURN near, 2 AS copies
  UNION ALL
  MATCH (atom)-[:NEXT]->(:Atom)-[:NEXT]->(near:Atom)
  RETURN near, 1 AS copies
  UNION ALL
  MATCH (atom)<-[:NEXT]-(:Atom)<-[:NEXT]-(near:Atom)
  RETURN near, 1 AS copies
  UNION ALL
  RETURN NULL AS near, 0 AS copies
}
WITH atom, collect(CASE WHEN size(near.text) <= 2000 AND near.audience IN ['group', atom.audience]
  THEN {text: near.text, copies: copies} END) AS lent
WITH atom, lent, CASE WHEN size(atom.text) <= 2000 THEN 4 ELSE 1 END AS copies
WITH atom, lent, reduce(size = copies * (size(atom.text) + 1) - 1,
  one IN lent | size + one.copies * (size(one.text) + 1)) AS expected
WHERE size(atom.window) <> expected
   OR NOT atom.window STARTS WITH atom.text
   OR any(one IN lent WHERE NOT atom.window CONTAINS one.text)
RETURN atom.group_id AS group_id, atom.id AS id, size(atom.window) AS size, expected
LIMIT $limit
