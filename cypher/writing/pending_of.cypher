// How many of some atoms wait for their vectors.
// param group_id  the group
// param ids       ids of atoms

CYPHER 25
UNWIND $ids AS id
MATCH (atom:Atom {group_id: $group_id, id: id})
WHERE atom:Pending
RETURN count(atom) AS pending
