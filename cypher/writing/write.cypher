// Write the atoms of a batch: their provenance nodes where these are missing, the atoms, their places in their streams and
// the windows that change. All lists are sorted, and provenance nodes are taken before any edge is made: the server locks a
// node of few edges when an edge is added, and two writers in another order would wait for each other. One of many edges is
// not locked, nor written again. What events disagree on, such as the spelling of an entity, stands on their edges.
// Instants come as text: the driver takes a thousand times as long for them.
// param group_id  the group
// param batch     in one map, so that the plan does not depend on what is empty:
//   users: ids of the users
//   sources: sources: {id, name, user_id}
//   entities: entities: {id, key}
//   records: records: {id, name, text, audience, named}, those for the group first
//   atoms: atoms: {properties, times, labels, source_id, source_kind, record_id, quote, entities: {id, name}}; the labels
//     besides Atom
//   cut: NEXT edges that a new atom has come between: {earlier, later}
//   joined: NEXT edges to make: {earlier, later}
//   windows: new windows of known atoms: {id, window}
// param few       edges up to which a node is locked

CYPHER 25
CALL () {
  UNWIND $batch.users AS id
  MERGE (user:User {group_id: $group_id, id: id})
}
CALL () {
  UNWIND $batch.sources AS row
  OPTIONAL MATCH (known:Source {group_id: $group_id, id: row.id})
  WITH row, known WHERE known IS NULL OR COUNT { (known)--() } < $few
  MERGE (source:Source {group_id: $group_id, id: row.id})
    ON CREATE SET source.name = row.name, source.user_id = row.user_id
  SET source.locked = true
  WITH source, row, known WHERE known IS NULL
  MATCH (user:User {group_id: $group_id, id: row.user_id})
  MERGE (source)-[:OWNED_BY]->(user)
}
CALL () {
  UNWIND $batch.entities AS row
  OPTIONAL MATCH (known:Entity {group_id: $group_id, id: row.id})
  WITH row, known WHERE known IS NULL OR COUNT { (known)--() } < $few
  MERGE (entity:Entity {group_id: $group_id, id: row.id})
    ON CREATE SET entity.key = row.key, entity.name = row.key
  SET entity.locked = true
}
CALL () {
  UNWIND $batch.records AS row
  OPTIONAL MATCH (known:Record {group_id: $group_id, id: row.id})
  WITH row, known
  WHERE known IS NULL OR COUNT { (known)--() } < $few OR known.text IS NULL OR known.audience <> 'group'
  MERGE (record:Record {group_id: $group_id, id: row.id})
    ON CREATE SET record.name = row.name, record.audience = row.audience, record.received_at = datetime()
  // What the group was told itself is the group's; who adds a text in private to a record of the group is refused.
  SET record.audience =
    CASE WHEN row.audience = 'group' AND (row.text IS NOT NULL OR record.text IS NULL) THEN 'group' ELSE record.audience END
  SET record.text =
    CASE WHEN record.text IS NULL AND record.audience IN ['group', row.audience] AND (row.audience = 'group' OR record.audience <> 'group') THEN row.text ELSE record.text END
}
CALL () {
  UNWIND $batch.records AS row
  WITH DISTINCT row.id AS id, row.named AS named WHERE named
  MATCH (record:Record {group_id: $group_id, id: id})
  RETURN collect(record {.id, .text, .audience}) AS records
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
  CREATE (atom)-[:OBSERVED_BY {kind: row.source_kind}]->(source)
  CREATE (atom)-[:QUOTED_FROM {quote: row.quote}]->(record)
  WITH atom, row
  CALL (atom, row) {
    UNWIND row.entities AS mentioned
    MATCH (entity:Entity {group_id: $group_id, id: mentioned.id})
    CREATE (atom)-[:MENTIONS {name: mentioned.name}]->(entity)
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
RETURN created, records
