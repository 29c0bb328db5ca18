// The atom whose standing another shares: the fact that it restates, else itself.
OPTIONAL MATCH (fact:Atom {group_id: $group_id, id: atom.restates})
WITH atom, CASE WHEN fact IS NULL OR NOT atom.status IN ['active', 'conflict'] THEN atom ELSE fact END AS held
