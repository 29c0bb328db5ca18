// Keep vectors in a slot; who has one in the slot in use waits for none any more. First the subjects and streams are locked
// whose writers may change the same atoms, in the order in which they lock them: else each would wait for the other.
// param property  property of the slot's vectors
// param rows      vectors: {id, vector}

CYPHER 25
MATCH (meta:Schema {id: 'fusegraph'})
CALL () {
  UNWIND $rows AS row
  MATCH (node) WHERE elementId(node) = row.id
  RETURN collect([node.group_id, node.subject_id, split(node.stream_position, ' ')[0]]) AS places
}
CALL (places) {
  UNWIND places AS place
  WITH DISTINCT place[0] AS group_id, place[1] AS id ORDER BY id
  MATCH (subject:Subject {group_id: group_id, id: id})
  SET subject.locked = true
  RETURN count(subject) AS subjects
}
CALL (places, subjects) {
  UNWIND places AS place
  WITH DISTINCT place[0] AS group_id, place[2] AS id, subjects ORDER BY id
  MATCH (stream:Stream {group_id: group_id, id: id})
  SET stream.locked = true
  RETURN count(stream) AS streams
}
CALL (meta, streams) {
  WITH meta, streams WHERE streams IS NOT NULL  // after them, and never before
  UNWIND $rows AS row
  MATCH (node) WHERE elementId(node) = row.id
  SET node[$property] = row.vector
  FOREACH (_ IN CASE WHEN $property = 'embedding_' + meta.slot THEN [1] ELSE [] END | REMOVE node:Pending)
  RETURN count(node) AS written
}
RETURN written
