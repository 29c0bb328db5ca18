// Statements by their ids.
// param group_id  the group
// param ids       ids of the statements

CYPHER 25
UNWIND $ids AS id
MATCH (atom:Atom {group_id: $group_id, id: id})
RETURN atom {
    // include fact
  } AS fact
