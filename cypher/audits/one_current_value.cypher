// Timelines of one value that have several current ones; what was said to hold besides, and open conflicts, are exempt.
// param limit  most offenders to return

CYPHER 25
MATCH (atom:Atom)
WHERE atom.timeline IS NOT NULL AND atom.status = 'active' AND atom.timeline_role = 'value'
WITH atom.group_id AS group_id, atom.timeline AS timeline, collect(DISTINCT atom.value_key) AS values, collect(atom.id) AS ids
WHERE size(values) > 1
RETURN group_id, timeline, ids, values
LIMIT $limit
