// The atoms around each place that a new atom takes in its stream.
// param group_id  the group
// param places    a place and the bounds of its stream: {place, low, high}
// param reach     how many atoms to find on each side

CYPHER 25
UNWIND $places AS new
CALL (new) {
  MATCH (atom:Atom)
  WHERE new.low < atom.place < new.place AND atom.group_id = $group_id
  RETURN atom ORDER BY atom.place DESC LIMIT $reach
  UNION ALL
  MATCH (atom:Atom)
  WHERE new.place < atom.place < new.high AND atom.group_id = $group_id
  RETURN atom ORDER BY atom.place ASC LIMIT $reach
}
WITH DISTINCT atom
RETURN atom.id AS id, atom.place AS place, atom.audience AS audience, atom.text AS text
