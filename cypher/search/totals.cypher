// How much of a group its viewer may see.
// param group_id   the group
// param audiences  audiences that the viewer may see

CYPHER 25
MATCH (atom:Atom)
WHERE atom.group_id = $group_id AND atom.audience IN $audiences
RETURN count(atom) AS atoms, count(CASE WHEN atom:Pending THEN 1 END) AS pending,
  min(atom.recorded_at) AS first_recorded_at, max(atom.recorded_at) AS last_recorded_at
