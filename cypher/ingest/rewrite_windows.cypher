// Give known atoms the window that their new neighbours make.
// param group_id  the group
// param windows   new windows: {id, window}

CYPHER 25
UNWIND $windows AS row
MATCH (atom:Atom {group_id: $group_id, id: row.id})
SET atom.window = row.window
RETURN count(atom) AS rewritten
