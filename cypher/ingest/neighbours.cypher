// The atoms around each place that a new atom takes in its stream.
// param group_id  the group
// param places    a place and the bounds of its stream: {place, low, high}
// param reach     how many atoms to find on each side

CYPHER 25
UNWIND $places AS new
CALL (new) {
  // The limit comes first: with both bounds at once the index would be read from one end of the database.
  MATCH (atom:Atom)
  WHERE atom.place < new.place
  WITH atom ORDER BY atom.place DESC LIMIT $reach
  WHERE atom.place > new.low AND atom.group_id = $group_id
  RETURN atom
  UNION ALL
  MATCH (atom:Atom)
  WHERE atom.place > new.place
  WITH atom ORDER BY atom.place ASC LIMIT $reach
  WHERE atom.place < new.high AND atom.group_id = $group_id
  RETURN atom
}
WITH DISTINCT atom
RETURN atom.id AS id, atom.place AS place, atom.audience AS audience, atom.text AS text
