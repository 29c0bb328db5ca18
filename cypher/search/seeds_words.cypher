// First candidates for a question where vectors do not answer: full texts, and entities it names.
// Scope, standing and time are required inside every index.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param statuses   standings to look among
// param spans      spans of time: {name, first_day, last_day, since_ms, until_ms, english, chinese, texts}: days as
//   YYYYMMDD, milliseconds since 1970 with an exclusive end, Lucene queries or null, most rows of a full text
// param entities   ids of entities that the question may name
// param limit      most rows of each arm
// param known_at   instant up to which what the memory had learned counts, or null

CYPHER 25
UNWIND $spans AS span
CALL (span) {
  // include texts
}
// include seeds
