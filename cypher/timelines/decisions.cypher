// An atom, and all that was decided of it, oldest first.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param id         id of the atom

CYPHER 25
MATCH (atom:Atom {group_id: $group_id, id: $id})
WHERE atom.audience IN $audiences
RETURN COLLECT {
  MATCH (atom)<-[change:DECIDED]-(decision:Decision)
  WITH decision, change ORDER BY decision.sequence
  RETURN decision {
      .id, .verdict, .rule, .words, .actor, at: toString(decision.at),
      before: change.before, after: change.after,
      cause: CASE WHEN EXISTS {
        MATCH (cause:Atom {group_id: $group_id, id: decision.atom_id}) WHERE cause.audience IN $audiences
      } THEN decision.atom_id END
    }
} AS decisions
