// One atom with its sources, by id or by the id of its event.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param id         id of the atom, or null
// param event_id   id of its event, or null

CYPHER 25
CALL () {
  MATCH (atom:Atom {group_id: $group_id, id: $id})
  RETURN atom
  UNION
  MATCH (atom:Atom {group_id: $group_id, event_id: $event_id})
  RETURN atom
}
WITH atom
WHERE atom.audience IN $audiences
// include held
RETURN atom {
    // include atom
  } AS atom
