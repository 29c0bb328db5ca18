// Atoms of a group in the order in which the memory learned them, a page at a time.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param statuses   standings to list
// param after      the cursor after which to go on; the empty text begins
// param limit      most atoms to return

CYPHER 25
MATCH (atom:Atom)
WHERE atom.group_id = $group_id AND atom.recorded_order > $after
  AND atom.audience IN $audiences AND atom.status IN $statuses
// include held
WHERE held.status IN $statuses
WITH atom, held ORDER BY atom.recorded_order LIMIT $limit
RETURN atom {
    // include atom,
    cursor: atom.recorded_order
  } AS atom
ORDER BY atom.cursor
