// Atoms whose status is not what the last decision on them left, and statements and changes without any decision.
// param limit  most offenders to return

CYPHER 25
MATCH (atom:Atom)
WHERE atom.stance IS NOT NULL OR atom.status <> 'active'
CALL (atom) {
  MATCH (decision:Decision)-[change:DECIDED]->(atom)
  RETURN change.after_status AS decided ORDER BY decision.at DESC, decision.id DESC LIMIT 1
  UNION ALL
  RETURN NULL AS decided
}
WITH atom, head(collect(decided)) AS decided
WHERE decided IS NULL OR decided <> atom.status
RETURN atom.group_id AS group_id, atom.id AS id, atom.status AS status, decided
LIMIT $limit
