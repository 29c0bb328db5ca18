// All that was said on timelines, whatever has become of it, and whether or not it became an atom; the last first.
// param group_id   the group
// param timelines  ids of the timelines
// param roles      what is looked for, by what it does there
// param most       most of each to return

CYPHER 25
UNWIND $timelines AS timeline
CALL (timeline) {
  UNWIND $roles AS timeline_role
  CALL (timeline, timeline_role) {
    MATCH (atom:Atom)
    WHERE atom.timeline = timeline AND atom.timeline_role = timeline_role AND atom.stated_at_ms IS NOT NULL
    RETURN atom ORDER BY atom.timeline DESC, atom.timeline_role DESC, atom.stated_at_ms DESC LIMIT $most
  }
  WITH atom WHERE atom.group_id = $group_id
  RETURN atom {
    // include fact
  } AS fact, atom {
    .text, .key, .value, .origin, .user_id, .subject, .act, .subject_given, .key_kind, .sequence, at: atom.stated_at_ms,
    source_id: atom.source_node_id, id: atom.id, atom_id: atom.id
  } AS told
  UNION ALL
  MATCH (decision:Decision)
  WHERE decision.timeline = timeline AND decision.stated_at_ms IS NOT NULL AND decision.group_id = $group_id
  RETURN NULL AS fact, decision {
    .text, .key, .value, .origin, .user_id, .subject, .act, .subject_given, .key_kind, .sequence, at: decision.stated_at_ms,
    source_id: decision.source_node_id, id: decision.statement_id, atom_id: decision.atom_id
  } AS told
  ORDER BY decision.timeline DESC, decision.stated_at_ms DESC LIMIT $most
}
RETURN timeline, fact, told
