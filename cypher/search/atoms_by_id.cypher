// Atoms by their ids.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param ids        ids of the atoms

CYPHER 25
UNWIND $ids AS id
MATCH (atom:Atom {group_id: $group_id, id: id})
WHERE atom.audience IN $audiences
// include held
RETURN atom {
    // include atom
  } AS atom
