// Nodes that search cannot find as it should: no vector and none awaited, no window, wrong tags, not in full text.
// param slot       slot of the vectors in use
// param dimension  length of its vectors
// param limit      most offenders to return

CYPHER 25
SHOW INDEXES YIELD name, state
WITH collect(CASE WHEN name STARTS WITH 'text_' AND state = 'ONLINE' THEN name END) AS texts
CALL (texts) {
  MATCH (node:Atom|Cluster)
  WITH node, CASE $slot WHEN 'a' THEN node.embedding_a ELSE node.embedding_b END AS vector
  WHERE node.status <> 'erased' AND (
    (vector IS NULL) <> (node:Pending) OR size(vector) <> $dimension OR node.window IS NULL OR node.day IS NULL
    OR node.group_tag IS NULL OR node.audience_tag IS NULL OR node.audience IS NULL
  )
  RETURN node.group_id AS group_id, node.id AS id, 'node' AS what, NULL AS indexed, NULL AS expected
  UNION ALL
  MATCH (node:Atom|Cluster)
  WITH node.group_id AS group_id, count(DISTINCT node.group_tag) AS tags
  WHERE tags <> 1
  RETURN group_id, NULL AS id, 'group_tag' AS what, tags AS indexed, 1 AS expected
  UNION ALL
  MATCH (node:Atom|Cluster)
  WITH node.group_id AS group_id, node.audience AS audience, count(DISTINCT node.audience_tag) AS tags
  WHERE tags <> 1
  RETURN group_id, audience AS id, 'audience_tag' AS what, tags AS indexed, 1 AS expected
  UNION ALL
  MATCH (node:Atom|Cluster)
  WITH node.audience_tag AS tag, collect(DISTINCT [node.group_id, node.audience]) AS owners
  WHERE size(owners) > 1
  UNWIND owners AS owner
  RETURN owner[0] AS group_id, owner[1] AS id, 'audience_tag shared' AS what, size(owners) AS indexed, 1 AS expected
  UNION ALL
  WITH texts
  MATCH (node:Atom|Cluster)
  WHERE node.group_tag IS NOT NULL
  WITH texts, node.group_id AS group_id, node.group_tag AS group_tag, count(*) AS expected
  UNWIND texts AS what
  CALL (group_tag, what) {
    CALL db.index.fulltext.queryNodes(what, 'group_tag:' + group_tag) YIELD node
    RETURN count(node) AS indexed
  }
  WITH group_id, what, indexed, expected WHERE indexed <> expected
  RETURN group_id, NULL AS id, what, indexed, expected
}
RETURN group_id, id, what, indexed, expected
LIMIT $limit
