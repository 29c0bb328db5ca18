// Groups in which vector search fails or does not find what it should: of each, an atom is looked for by its own vector.
// param limit  most offenders to return

CYPHER 25
MATCH (group:Group)
CALL (group) {
  MATCH (atom:Atom)
  WHERE atom.group_id = group.id AND atom.recorded_order > '' AND atom.embedding_slot IS NOT NULL
  RETURN atom LIMIT 1
}
CALL (atom) {
  MATCH (node:Atom|Cluster)
    SEARCH node IN (
      VECTOR INDEX vector_slot FOR atom.embedding_slot
      WHERE node.group_id = atom.group_id AND node.audience = atom.audience AND node.status = atom.status
      LIMIT 120
    ) SCORE AS score
  RETURN max(score) AS best, count(node) AS found
}
WITH group, atom, best, found
WHERE found = 0 OR best < 0.999
RETURN group.id AS group_id, atom.id AS id, found, best
LIMIT $limit
