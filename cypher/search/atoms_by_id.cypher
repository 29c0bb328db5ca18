// Atoms by their ids.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param ids        ids of the atoms

CYPHER 25
UNWIND $ids AS id
MATCH (atom:Atom {group_id: $group_id, id: id})
WHERE atom.audience IN $audiences
OPTIONAL MATCH (fact:Atom {group_id: $group_id, id: atom.restates})
WITH atom, CASE WHEN fact IS NULL OR NOT atom.status IN ['active', 'conflict'] THEN atom ELSE fact END AS held  // a restatement shares its fact's standing
RETURN atom {
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
    mentions: COLLECT { MATCH (atom)-[:MENTIONS]->(e:Entity) RETURN {id: e.id, name: e.name} },
    sources: COLLECT {
      MATCH (atom)-[:OBSERVED_BY]->(s:Source)-[:OWNED_BY]->(u:User)
      RETURN {id: s.id, name: s.name, kind: s.kind, user_id: u.id}
    },
    quotes: COLLECT {
      MATCH (atom)-[q:QUOTED_FROM]->(r:Record) RETURN {record_id: r.id, record: r.name, quote: q.quote}
    }
  } AS atom
