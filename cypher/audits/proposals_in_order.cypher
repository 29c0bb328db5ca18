// Proposed supersessions between two groups or audiences, of an atom by itself, and answered ones that no decision answered.
// param limit  most offenders to return

CYPHER 25
MATCH (newer:Atom)-[edge:MAY_SUPERSEDE]->(older:Atom)
WITH newer, edge, older, CASE
    WHEN newer = older THEN 'of itself'
    WHEN newer.group_id <> older.group_id THEN 'two groups'
    WHEN newer.audience <> older.audience THEN 'two audiences'
    WHEN (edge.closed_at IS NULL) <> (edge.accepted IS NULL) THEN 'half answered'
    WHEN edge.closed_at IS NOT NULL AND NOT EXISTS {
      MATCH (:Decision {group_id: newer.group_id, id: edge.decision_id})
    } THEN 'no decision'
  END AS what
WHERE what IS NOT NULL
RETURN newer.group_id AS group_id, newer.id AS id, older.id AS other_id, what
LIMIT $limit
