// An atom as it is shown: its content, how it stands (a restatement shares the standing of its fact, `held`), and what it rests
// on. What an entity is called and what kind a source is stand on the edges, as this atom was told of them.
    .id, .event_id, .text, .user_id, .subject, .visibility, .origin, .language, .timeline_role, .importance, .urgency,
    .confidence, .occurred_precision, .conversation_id, .key, .value, .act, .related_users, .metadata,
    occurred_at: atom.occurred_iso,
    status: held.status, flags: coll.distinct(atom.flags + held.flags), evidence_count: held.evidence_count,
    valid_from: toString(atom.valid_from),
    valid_until: toString(held.valid_until),
    last_evidence_at: toString(held.last_evidence_at),
    mentioned_from: toString(atom.mentioned_from),
    mentioned_to: toString(atom.mentioned_to),
    recorded_at: toString(atom.recorded_at),
    mentions: COLLECT { MATCH (atom)-[m:MENTIONS]->(e:Entity) RETURN {id: e.id, name: coalesce(m.name, e.name)} },
    sources: COLLECT {
      MATCH (atom)-[o:OBSERVED_BY]->(s:Source)-[:OWNED_BY]->(u:User)
      RETURN {id: s.id, name: s.name, kind: coalesce(o.kind, s.kind), user_id: u.id}
    },
    quotes: COLLECT {
      MATCH (atom)-[q:QUOTED_FROM]->(r:Record) RETURN {record_id: r.id, record: r.name, quote: q.quote}
    }
