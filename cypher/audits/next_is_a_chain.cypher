// Atoms where a stream forks, turns back in time, is broken, or joins another stream.
// param limit  most offenders to return

CYPHER 25
MATCH (atom:Atom)
OPTIONAL MATCH (atom)-[:NEXT]->(later:Atom)
WITH atom, collect(later) AS later
CALL (atom) {
  MATCH (expected:Atom)
  WHERE expected.stream_position > atom.stream_position
  RETURN expected ORDER BY expected.stream_position LIMIT 1
  UNION ALL
  RETURN NULL AS expected
}
WITH atom, later, head(collect(expected)) AS expected
WITH atom, later,
  CASE WHEN split(expected.stream_position, ' ')[0] = split(atom.stream_position, ' ')[0] THEN [expected] ELSE [] END AS should
WHERE later <> should
RETURN atom.group_id AS group_id, atom.id AS id, [node IN later | node.id] AS found, [node IN should | node.id] AS expected
LIMIT $limit
