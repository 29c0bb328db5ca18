// Ids that two nodes of one label share within a group, and event ids of two atoms.
// param limit  most offenders to return

CYPHER 25
CALL () {
  MATCH (node:Atom|Cluster|Record|Source|User|Entity|Stream)
  RETURN node, labels(node)[0] AS kind, node.id AS id
  UNION ALL
  MATCH (node:Atom)
  RETURN node, 'Event' AS kind, node.event_id AS id
}
WITH node.group_id AS group_id, kind, id, count(*) AS times
WHERE times > 1 OR id IS NULL OR group_id IS NULL
RETURN group_id, kind, id, times
LIMIT $limit
