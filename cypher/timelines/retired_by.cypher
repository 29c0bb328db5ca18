// The atom on whose account another was ended last; no row where it never was current.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param id         id of the atom that is over

CYPHER 25
MATCH (decision:Decision)-[change:DECIDED]->(atom:Atom {group_id: $group_id, id: $id})
WHERE atom.audience IN $audiences
  AND change.before_status IN ['active', 'conflict'] AND change.after_status IN ['superseded', 'invalid']
RETURN decision.atom_id AS cause
ORDER BY decision.sequence DESC LIMIT 1
