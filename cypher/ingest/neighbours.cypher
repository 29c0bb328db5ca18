// The atoms around each place that a new atom takes in its stream.
// param group_id  the group
// param places    a place and the bounds of its stream: {stream_position, low, high}
// param reach     how many atoms to find on each side

CYPHER 25
UNWIND $places AS new
CALL (new) {
  // The limit comes first: with both bounds at once the index would be read from one end of the database.
  MATCH (atom:Atom)
  WHERE atom.stream_position < new.stream_position
  WITH atom ORDER BY atom.stream_position DESC LIMIT $reach
  WHERE atom.stream_position > new.low AND atom.group_id = $group_id
  RETURN atom
  UNION ALL
  MATCH (atom:Atom)
  WHERE atom.stream_position > new.stream_position
  WITH atom ORDER BY atom.stream_position ASC LIMIT $reach
  WHERE atom.stream_position < new.high AND atom.group_id = $group_id
  RETURN atom
}
WITH DISTINCT atom
RETURN atom.id AS id, atom.stream_position AS stream_position, atom.audience AS audience, atom.text AS text
