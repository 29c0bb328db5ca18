// Open conflicts of which one side is not in conflict, closed ones that are open for a side, and sides without an opponent.
// param limit  most offenders to return

CYPHER 25
CALL () {
  MATCH (one:Atom)-[edge:CONFLICTS_WITH]->(other:Atom)
  WHERE edge.closed_at IS NULL AND (one.status <> 'conflict' OR other.status <> 'conflict')
  RETURN one.group_id AS group_id, one.id AS id, other.id AS other_id
  UNION ALL
  MATCH (atom:Atom {status: 'conflict'})
  WHERE NOT EXISTS { MATCH (atom)-[edge:CONFLICTS_WITH]-(:Atom) WHERE edge.closed_at IS NULL }
  RETURN atom.group_id AS group_id, atom.id AS id, NULL AS other_id
}
RETURN group_id, id, other_id
LIMIT $limit
