// All that may decide about new statements, in one exchange, with the vectors of a slot: how far their subjects have come, what
// was decided of them before, what is known on their timelines, and what is near them where they have no key.
// The subjects come first, and are locked while this looks: a commit is not seen at once in every index, and so all of one is
// seen or nothing. Whoever writes after that shows by their number of writes. Each slot has a statement of its
// own, because one that names an index fails while that index is made anew.
// param group_id  the group
// param asked     in one map, so that the plan does not depend on what is empty:
//   subjects: ids of the subjects; decided: ids of the decisions that these very statements may have made before;
//   events: ids of events that they may be; records: ids of the records that they quote;
//   places: places on timelines: {timeline, lanes, said: [{at, value_key}]};
//   claims: statements without a key: {id, subject_id, audience, vector, text_key};
//   statuses: standings to look among for what is near
// param most      most current statements of a timeline to return, the newest first
// param most_near most neighbours of a statement without a key

CYPHER 25
CALL () {
  UNWIND $asked.subjects AS id
  MATCH (subject:Subject {group_id: $group_id, id: id})
  SET subject.locked = true
  RETURN collect(subject {.id, .writes, .sequence, .clock_us}) AS subjects
}
CALL (subjects) {
  WITH subjects WHERE subjects IS NOT NULL
  UNWIND $asked.decided AS id
  MATCH (decision:Decision {group_id: $group_id, id: id})
  RETURN collect(decision {
    .id, .verdict, .rule, .words, .content_hash, .atom_id, .subject, .proposes, .proposed, .audience,
    touched: COLLECT {
      MATCH (decision)-[change:DECIDED]->(atom:Atom)
      RETURN {id: atom.id, before: change.before_status, after: change.after_status} ORDER BY change.before_status IS NOT NULL, atom.id
    }
  }) AS decided
}
CALL () {
  UNWIND $asked.events AS event_id
  MATCH (atom:Atom {group_id: $group_id, event_id: event_id})
  RETURN collect(atom {.event_id, .content_hash, .status, .audience}) AS events
}
CALL () {
  UNWIND $asked.records AS id
  MATCH (record:Record {group_id: $group_id, id: id})
  RETURN collect(record {.id, .text, .audience}) AS records
}
CALL (subjects) {
  WITH subjects WHERE subjects IS NOT NULL  // after them, and never before
  UNWIND $asked.places AS place
  CALL (place) {
    // Each by one seek in the index's order: what is over stands on the timeline, too, and may be very much.
    UNWIND ['active', 'conflict'] AS status
    UNWIND ['value', 'addition', 'end'] AS timeline_role
    CALL (place, status, timeline_role) {
      // Another index would read the whole history of the timeline.
      MATCH (atom:Atom)
      USING INDEX atom:Atom(timeline, status, timeline_role, stated_at_ms)
      WHERE atom.timeline = place.timeline AND atom.status = status AND atom.timeline_role = timeline_role AND atom.stated_at_ms IS NOT NULL
      RETURN atom ORDER BY atom.timeline DESC, atom.status DESC, atom.timeline_role DESC, atom.stated_at_ms DESC LIMIT $most
    }
    RETURN atom
    UNION
    UNWIND place.said AS said
    CALL (place, said) {
      MATCH (atom:Atom)
      USING INDEX atom:Atom(timeline, value_key, status, timeline_role)
      WHERE atom.timeline = place.timeline AND atom.value_key = said.value_key AND atom.status IN ['active', 'conflict']
        AND atom.timeline_role IN ['value', 'addition', 'end']
      RETURN atom LIMIT $most
      UNION
      MATCH (atom:Atom)
      WHERE atom.timeline = place.timeline AND atom.timeline_role = 'value' AND atom.stated_at_ms <= said.at
      RETURN atom ORDER BY atom.timeline DESC, atom.timeline_role DESC, atom.stated_at_ms DESC LIMIT 1
      UNION
      MATCH (atom:Atom)
      WHERE atom.timeline = place.timeline AND atom.timeline_role = 'value' AND atom.stated_at_ms > said.at
      RETURN atom ORDER BY atom.timeline, atom.timeline_role, atom.stated_at_ms LIMIT 1
      UNION
      MATCH (atom:Atom)
      WHERE atom.timeline = place.timeline AND atom.timeline_role = 'end' AND atom.stated_at_ms > said.at
      RETURN atom ORDER BY atom.timeline, atom.timeline_role, atom.stated_at_ms LIMIT 1
      UNION
      UNWIND place.lanes AS lane
      CALL (lane, said) {
        MATCH (atom:Atom)
        WHERE atom.lane = lane AND atom.stated_at_ms <= said.at
        RETURN atom ORDER BY atom.lane DESC, atom.stated_at_ms DESC LIMIT 1
        UNION
        MATCH (atom:Atom)
        WHERE atom.lane = lane AND atom.stated_at_ms > said.at
        RETURN atom ORDER BY atom.lane, atom.stated_at_ms LIMIT 1
      }
      RETURN atom
    }
    RETURN atom
  }
  WITH DISTINCT atom
  WHERE atom.group_id = $group_id
  RETURN collect(atom) AS placed
}
CALL (subjects) {
  WITH subjects WHERE subjects IS NOT NULL
  UNWIND $asked.places AS place
  CALL (place) {
    UNWIND ['value', 'addition', 'end', 'restatement', 'off'] AS timeline_role
    CALL (place, timeline_role) {
      MATCH (atom:Atom)
      WHERE atom.timeline = place.timeline AND atom.timeline_role = timeline_role AND atom.stated_at_ms IS NOT NULL
      RETURN atom.stated_at_ms AS at ORDER BY atom.timeline DESC, atom.timeline_role DESC, atom.stated_at_ms DESC LIMIT 1
    }
    RETURN at
    UNION ALL
    MATCH (decision:Decision)
    WHERE decision.timeline = place.timeline AND decision.stated_at_ms IS NOT NULL
    RETURN decision.stated_at_ms AS at ORDER BY decision.timeline DESC, decision.stated_at_ms DESC LIMIT 1
  }
  WITH place.timeline AS timeline, max(at) AS at
  RETURN collect({timeline: timeline, at: at}) AS newest
}
CALL (subjects) {
  WITH subjects WHERE subjects IS NOT NULL
  UNWIND $asked.claims AS claim
  CALL (claim) {
    MATCH (atom:Atom|Cluster)
      SEARCH atom IN (
        VECTOR INDEX vector_slot FOR claim.vector
        WHERE atom.group_id = $group_id AND atom.audience = claim.audience AND atom.subject_id = claim.subject_id
          AND atom.status IN $asked.statuses
        LIMIT $most_near
      ) SCORE AS score
    RETURN atom
    UNION
    MATCH (atom:Atom)
    WHERE atom.subject_id = claim.subject_id AND atom.text_key = claim.text_key AND atom.status IN $asked.statuses
    RETURN atom LIMIT $most_near
  }
  WITH claim, atom
  WHERE atom.group_id = $group_id AND NOT atom.timeline_role IN ['off', 'restatement']
  WITH claim.id AS id, collect(atom) AS atoms
  RETURN collect({id: id, atoms: atoms}) AS near
}
CALL (placed, near) {
  UNWIND placed + coll.flatten([one IN near | one.atoms]) AS atom
  CALL (atom) {
    RETURN atom AS known
    UNION
    MATCH (atom)-[edge:CONFLICTS_WITH]-(known:Atom) WHERE edge.closed_at IS NULL
    RETURN known
  }
  WITH DISTINCT known AS atom
  RETURN collect(atom {
    // include fact
  }) AS facts
}
RETURN subjects, decided, events, records, facts, newest,
  [one IN near | {id: one.id, known: [atom IN one.atoms | atom.id]}] AS near,
  head(COLLECT { MATCH (group:Group {id: $group_id}) RETURN properties(group) }) AS settings
