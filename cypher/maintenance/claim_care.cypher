// Take it upon oneself to look after the vector index: once after each start of the server, and in between after some time
// where it is asked for.
// param started  when it was started
// param asked    whether a search has failed
// param seconds  for so long nobody else does it

CYPHER 25
MATCH (meta:Schema {id: 'fusegraph'})
SET meta.locked = true  // takes the lock before anything is read
WITH meta
WHERE meta.cared_since IS NULL OR meta.cared_since <> $started
  OR $asked AND (meta.cared_at IS NULL OR meta.cared_at + duration({seconds: $seconds}) < datetime.realtime())
SET meta.cared_since = $started, meta.cared_at = datetime.realtime()
RETURN true AS claimed
