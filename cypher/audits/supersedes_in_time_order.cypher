// SUPERSEDES edges from an older statement to a newer one, and circles of them; a person's confirmation may choose the older.
// param limit  most offenders to return

CYPHER 25
CALL () {
  MATCH (newer:Atom)-[:SUPERSEDES]->(older:Atom)
  WHERE newer.stated_at_ms < older.stated_at_ms AND NOT EXISTS {
    MATCH (newer)<-[:DECIDED]-(decision:Decision)-[:DECIDED]->(older) WHERE decision.actor <> 'rule'
  }
  RETURN newer.group_id AS group_id, newer.id AS id, older.id AS other_id, 'order' AS what
  UNION ALL
  MATCH (atom:Atom)-[:SUPERSEDES]->+(again:Atom)
  WHERE again = atom
  RETURN DISTINCT atom.group_id AS group_id, atom.id AS id, atom.id AS other_id, 'circle' AS what
}
RETURN group_id, id, other_id, what
LIMIT $limit
