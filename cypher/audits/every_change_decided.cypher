// Atoms that no decision accounts for: another status than the last one left, a gap between two, or no decision at all.
// param limit  most offenders to return

CYPHER 25
MATCH (atom:Atom)
WHERE atom.timeline_role IS NOT NULL OR atom.status <> 'active' OR EXISTS { (atom)<-[:DECIDED]-() }
CALL (atom) {
  MATCH (decision:Decision)-[change:DECIDED]->(atom)
  WITH change ORDER BY decision.sequence
  RETURN collect(change) AS chain
}
WITH atom, chain, [at IN range(1, size(chain) - 1) WHERE coalesce(chain[at].before, '') <> chain[at - 1].after] AS broken
WHERE size(chain) = 0 OR last(chain).after_status <> atom.status OR size(broken) > 0
  OR (atom.timeline_role IS NOT NULL AND chain[0].before IS NOT NULL)
RETURN atom.group_id AS group_id, atom.id AS id, atom.status AS status,
       [change IN chain | change.after_status] AS decided
LIMIT $limit
