// Lock the subjects and streams that a batch enters, in sorted order, so that writers wait for each other and do not
// deadlock; then look at the places of the new atoms in their streams. A subject that was written to since it was looked
// at shows by its number of writes.
// param group_id  the group
// param batch     in one map, so that the plan does not depend on what is empty:
//   subjects: subjects and how far the batch brings them: {id, sequence, clock_us}, sorted
//   streams: ids of the streams, sorted
//   places: a place and the bounds of its stream: {stream_position, low, high}
// param reach     how many atoms to find on each side of a place

CYPHER 25
CALL () {
  UNWIND $batch.subjects AS row
  MERGE (subject:Subject {group_id: $group_id, id: row.id})
  SET subject.locked = true  // takes the lock before anything is read
  SET subject.writes = coalesce(subject.writes, 0) + 1
  SET subject.sequence = row.sequence, subject.clock_us = row.clock_us
  RETURN collect({id: subject.id, writes: subject.writes - 1}) AS subjects
}
CALL () {
  MERGE (group:Group {id: $group_id})
    ON CREATE SET group.time_zone = 'UTC'
  WITH group
  UNWIND $batch.streams AS id
  MERGE (stream:Stream {group_id: $group_id, id: id})
  SET stream.writes = coalesce(stream.writes, 0) + 1
  RETURN count(stream) AS locked
}
MATCH (meta:Schema {id: 'fusegraph'})
CALL () {
  UNWIND $batch.places AS new
  CALL (new) {
    // The limit comes first: with both bounds at once the index would be read from one end of the database.
    MATCH (atom:Atom)
    WHERE atom.stream_position < new.stream_position
    WITH atom ORDER BY atom.stream_position DESC LIMIT $reach
    WHERE atom.stream_position > new.low AND atom.group_id = $group_id
    RETURN atom
    UNION ALL
    MATCH (atom:Atom)
    WHERE atom.stream_position > new.stream_position
    WITH atom ORDER BY atom.stream_position ASC LIMIT $reach
    WHERE atom.stream_position < new.high AND atom.group_id = $group_id
    RETURN atom
  }
  WITH DISTINCT atom
  RETURN collect(atom {.id, .stream_position, .audience, .text}) AS around
}
RETURN meta.slot AS slot, subjects, around
