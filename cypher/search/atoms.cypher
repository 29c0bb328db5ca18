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
WITH atom ORDER BY atom.recorded_order LIMIT $limit
RETURN atom {
    .id, .event_id, .text, .user_id, .subject, .visibility, .origin, .language, .status, .flags, .timeline_role, .evidence_count, .importance, .urgency,
    .confidence, .occurred_precision, .conversation_id, .key, .value, .act, .related_users, .metadata,
    cursor: atom.recorded_order,
    occurred_at: atom.occurred_iso,
    valid_from: toString(atom.valid_from),
    valid_until: toString(atom.valid_until),
    last_evidence_at: toString(atom.last_evidence_at),
    mentioned_from: toString(atom.mentioned_from),
    mentioned_to: toString(atom.mentioned_to),
    recorded_at: toString(atom.recorded_at),
    mentions: COLLECT { MATCH (atom)-[:MENTIONS]->(e:Entity) RETURN {id: e.id, name: e.name} },
    sources: COLLECT {
      MATCH (atom)-[:OBSERVED_BY]->(s:Source)-[:OWNED_BY]->(u:User)
      RETURN {id: s.id, name: s.name, kind: s.kind, user_id: u.id}
    },
    quotes: COLLECT {
      MATCH (atom)-[q:QUOTED_FROM]->(r:Record) RETURN {record_id: r.id, record: r.name, quote: q.quote}
    }
  } AS atom
ORDER BY atom.cursor
