// The next texts that wait for their vectors, in the order in which they were recorded, and the lease of embedding them:
// none where another process holds it, or where the vectors in use are of another slot.
// param follower  who asks
// param slot      slot of the vectors that it makes
// param seconds   length of the lease
// param limit     most texts
// param longest   characters of a text that are embedded

CYPHER 25
MATCH (meta:Schema {id: 'fusegraph'})
CALL (meta) {
  // Nothing is written while the lease goes on for longer than half of it: a write costs a commit.
  WITH meta
  WHERE meta.follower IS NULL OR meta.followed_until < datetime.realtime()
    OR meta.follower = $follower AND meta.followed_until < datetime.realtime() + duration({seconds: $seconds / 2})
  SET meta.follower = CASE  // takes the lock before the lease is looked at
      WHEN meta.follower IS NULL OR meta.followed_until < datetime.realtime() THEN $follower
      ELSE meta.follower
    END
  WITH meta WHERE meta.follower = $follower
  SET meta.followed_until = datetime.realtime() + duration({seconds: $seconds})
}
WITH meta WHERE meta.follower = $follower AND meta.slot = $slot
MATCH (atom:Pending)
WHERE atom.recorded_order > ''
WITH atom ORDER BY atom.recorded_order LIMIT $limit
RETURN elementId(atom) AS id, left(atom.text, $longest) AS text
