// Lock an atom that is to be corrected, so that two corrections follow each other.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param id         id of the atom

CYPHER 25
MATCH (atom:Atom {group_id: $group_id, id: $id})
WHERE atom.audience IN $audiences
SET atom.corrections = coalesce(atom.corrections, 0) + 1
RETURN atom.id AS id
