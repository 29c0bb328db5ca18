// First candidates for a question, with the vectors of a slot: filtered vector search, full texts, entities it names.
// Scope, standing and time are required inside every index. Each slot has a statement of its own, because one that names an
// index fails while that index is made anew.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param statuses   standings to look among
// param vector     unit vector of the question
// param spans      spans of time: {name, first_day, last_day, since_ms, until_ms, english, chinese, texts}: days as
//   YYYYMMDD, milliseconds since 1970 with an exclusive end, Lucene queries or null, most rows of a full text
// param entities   ids of entities that the question may name
// param limit      most rows of each arm
// param known_at   instant up to which what the memory had learned counts, or null

CYPHER 25
UNWIND $spans AS span
CALL (span) {
  MATCH (node:Atom|Cluster)
    SEARCH node IN (
      VECTOR INDEX vector_slot FOR $vector
      WHERE node.group_id = $group_id AND node.audience IN $audiences AND node.status IN $statuses
        AND node.day >= span.first_day AND node.day <= span.last_day
        AND node.occurred_ms >= span.since_ms AND node.occurred_ms < span.until_ms
      LIMIT $limit
    ) SCORE AS score
  RETURN node, 'vector' AS arm, score
  UNION ALL
  // include texts
}
// include seeds
