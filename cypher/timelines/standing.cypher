// An atom's statement and standing, for a correction by a person.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param id         id of the atom

CYPHER 25
MATCH (atom:Atom {group_id: $group_id, id: $id})
WHERE atom.audience IN $audiences
RETURN atom {
    // include fact
  } AS fact, atom.subject_id AS subject_id, atom.subject AS subject
