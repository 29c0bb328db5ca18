// Write the atoms of a batch: their provenance nodes where these are missing, the atoms, their places in their streams and
// the windows that change. All lists are sorted, against deadlocks. Where events disagree about a provenance node, what is
// kept does not depend on who came first: the least name, the narrowest audience. Instants come as text: the driver takes a
// thousand times as long for them.
// param group_id  the group
// param batch     in one map, so that the plan does not depend on what is empty:
//   users: ids of the users
//   sources: sources: {id, name, kind, user_id}
//   entities: entities: {id, key, name}
//   records: records: {id, name, text, audience}
//   atoms: atoms: {properties, times, labels, source_id, record_id, quote, entity_ids}; the labels besides Atom
//   cut: NEXT edges that a new atom has come between: {earlier, later}
//   joined: NEXT edges to make: {earlier, later}
//   windows: new windows of known atoms: {id, window}

CYPHER 25
CALL () {
  UNWIND $batch.users AS id
  MERGE (user:User {group_id: $group_id, id: id})
}
CALL () {
  UNWIND $batch.sources AS row
  MERGE (source:Source {group_id: $group_id, id: row.id})
    ON CREATE SET source.name = row.name, source.kind = row.kind, source.user_id = row.user_id
    ON MATCH SET source.kind = CASE WHEN row.kind < source.kind THEN row.kind ELSE source.kind END
  WITH source, row
  MATCH (user:User {group_id: $group_id, id: row.user_id})
  MERGE (source)-[:OWNED_BY]->(user)
}
CALL () {
  UNWIND $batch.entities AS row
  MERGE (entity:Entity {group_id: $group_id, id: row.id})
    ON CREATE SET entity.key = row.key, entity.name = row.name
    ON MATCH SET entity.name = CASE WHEN row.name < entity.name THEN row.name ELSE entity.name END
}
CALL () {
  UNWIND $batch.records AS row
  MERGE (record:Record {group_id: $group_id, id: row.id})
    ON CREATE SET record.name = row.name, record.audience = row.audience, record.received_at = datetime()
  SET record.text = coalesce(record.text, row.text),
      record.audience = CASE
        WHEN row.audience IN ['group', record.audience] THEN record.audience
        WHEN record.audience = 'group' THEN row.audience
        ELSE ''
      END
  RETURN collect({id: record.id, text: record.text}) AS kept
}
CALL () {
  UNWIND $batch.atoms AS row
  MATCH (source:Source {group_id: $group_id, id: row.source_id})
  MATCH (record:Record {group_id: $group_id, id: row.record_id})
  CREATE (atom:Atom)
  SET atom:$(row.labels)
  SET atom = row.properties
  SET atom.occurred_at = datetime(row.times.occurred_at), atom.recorded_at = datetime(row.times.recorded_at),
      atom.mentioned_from = datetime(row.times.mentioned_from), atom.mentioned_to = datetime(row.times.mentioned_to),
      atom.valid_from = datetime(row.times.valid_from), atom.valid_until = datetime(row.times.valid_until),
      atom.last_evidence_at = datetime(row.times.last_evidence_at),
      atom.conflict_since = datetime(row.times.conflict_since), atom.restated_at = datetime(row.times.restated_at)
  CREATE (atom)-[:OBSERVED_BY]->(source)
  CREATE (atom)-[:QUOTED_FROM {quote: row.quote}]->(record)
  WITH atom, row
  CALL (atom, row) {
    UNWIND row.entity_ids AS id
    MATCH (entity:Entity {group_id: $group_id, id: id})
    CREATE (atom)-[:MENTIONS]->(entity)
  }
  RETURN count(atom) AS created
}
CALL () {
  UNWIND $batch.cut AS edge
  MATCH (:Atom {group_id: $group_id, id: edge.earlier})-[next:NEXT]->(:Atom {group_id: $group_id, id: edge.later})
  DELETE next
}
CALL () {
  UNWIND $batch.joined AS edge
  MATCH (earlier:Atom {group_id: $group_id, id: edge.earlier})
  MATCH (later:Atom {group_id: $group_id, id: edge.later})
  CREATE (earlier)-[:NEXT]->(later)
}
CALL () {
  UNWIND $batch.windows AS row
  MATCH (atom:Atom {group_id: $group_id, id: row.id})
  SET atom.window = row.window
}
RETURN created, kept AS records
