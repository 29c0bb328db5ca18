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
OPTIONAL MATCH (fact:Atom {group_id: $group_id, id: atom.restates})
WITH atom, CASE WHEN fact IS NULL OR NOT atom.status IN ['active', 'conflict'] THEN atom ELSE fact END AS held  // a restatement shares its fact's standing
WHERE held.status IN $statuses
WITH atom, held ORDER BY atom.recorded_order LIMIT $limit
RETURN atom {
    .id, .event_id, .text, .user_id, .subject, .visibility, .origin, .language, .timeline_role, .importance, .urgency,
    .confidence, .occurred_precision, .conversation_id, .key, .value, .act, .related_users, .metadata,
    cursor: atom.recorded_order,
    occurred_at: atom.occurred_iso,
    status: held.status, flags: coll.distinct(atom.flags + held.flags), evidence_count: held.evidence_count,
    valid_from: toString(atom.valid_from),
    valid_until: toString(held.valid_until),
    last_evidence_at: toString(held.last_evidence_at),
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
