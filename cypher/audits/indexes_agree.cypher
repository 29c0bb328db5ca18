// Atoms and clusters that the search indexes cannot hold as they should, and groups whose full text counts otherwise.
// param slot       slot of the vectors in use
// param dimension  length of its vectors
// param limit      most offenders to return

CYPHER 25
CALL () {
  MATCH (node:Atom|Cluster)
  WITH node, CASE $slot WHEN 'a' THEN node.embedding_a ELSE node.embedding_b END AS vector
  WHERE node.status <> 'erased' AND (
    vector IS NULL OR size(vector) <> $dimension OR node.window IS NULL OR node.day IS NULL
    OR node.group_tag IS NULL OR node.audience_tag IS NULL OR node.audience IS NULL
  )
  RETURN node.group_id AS group_id, node.id AS id, 'node' AS what, NULL AS indexed, NULL AS expected
  UNION ALL
  MATCH (node:Atom|Cluster)
  WHERE node.group_tag IS NOT NULL
  WITH node.group_id AS group_id, node.group_tag AS group_tag, count(*) AS expected
  UNWIND ['text_english', 'text_chinese'] AS what
  CALL (group_tag, what) {
    CALL db.index.fulltext.queryNodes(what, 'group_tag:' + group_tag) YIELD node
    RETURN count(node) AS indexed
  }
  WITH group_id, what, indexed, expected WHERE indexed <> expected
  RETURN group_id, NULL AS id, what, indexed, expected
}
RETURN group_id, id, what, indexed, expected
LIMIT $limit
