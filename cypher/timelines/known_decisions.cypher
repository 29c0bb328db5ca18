// The decisions that were made of statements of these ids already.
// param group_id  the group
// param ids       ids of the decisions

CYPHER 25
UNWIND $ids AS id
MATCH (decision:Decision {group_id: $group_id, id: id})
RETURN decision {
    .id, .verdict, .rule, .words, .content_hash, .atom_id, .proposes, .proposed,
    subject: head(COLLECT { MATCH (atom:Atom {group_id: $group_id, id: decision.atom_id}) RETURN atom.subject }),
    touched: COLLECT {
      MATCH (decision)-[change:DECIDED]->(atom:Atom)
      RETURN {id: atom.id, before: change.before_status, after: change.after_status} ORDER BY change.before_status IS NOT NULL, atom.id
    }
  } AS decision
