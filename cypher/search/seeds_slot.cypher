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
  WITH span WHERE span.english IS NOT NULL
  CALL db.index.fulltext.queryNodes('text_english', span.english, {limit: span.texts}) YIELD node, score
  WHERE node.group_id = $group_id AND node.audience IN $audiences AND node.status IN $statuses
    AND node.occurred_ms >= span.since_ms AND node.occurred_ms < span.until_ms
  RETURN node, 'english' AS arm, score
  UNION ALL
  WITH span WHERE span.chinese IS NOT NULL
  CALL db.index.fulltext.queryNodes('text_chinese', span.chinese, {limit: span.texts}) YIELD node, score
  WHERE node.group_id = $group_id AND node.audience IN $audiences AND node.status IN $statuses
    AND node.occurred_ms >= span.since_ms AND node.occurred_ms < span.until_ms
  RETURN node, 'chinese' AS arm, score
  UNION ALL
  WITH span
  UNWIND $entities AS id
  MATCH (entity:Entity {group_id: $group_id, id: id})
  CALL (entity, span) {
    MATCH (entity)<-[:MENTIONS]-(node:Atom)
    WHERE node.audience IN $audiences AND node.status IN $statuses
      AND node.day >= span.first_day AND node.day <= span.last_day
      AND node.occurred_ms >= span.since_ms AND node.occurred_ms < span.until_ms
    RETURN node LIMIT $limit
  }
  RETURN node, 'entity' AS arm, toFloat(count(*)) AS score
}
WITH node, collect([span.name, arm, score]) AS hits
WHERE $known_at IS NULL OR node.recorded_at <= $known_at
OPTIONAL MATCH (fact:Atom {group_id: $group_id, id: node.restates})
WITH node, hits, CASE WHEN fact IS NULL OR NOT node.status IN ['active', 'conflict'] THEN node ELSE fact END AS held  // a restatement shares its fact's standing
WHERE held.status IN $statuses
// One row of lists: hundreds of rows of maps take four times as long on the way.
WITH collect([
  node.id, labels(node)[0], hits, held.status, node.importance, node.occurred_at.epochMillis, node.mentioned_from IS NOT NULL, node.subject,
  node.user_id, size(node.text), node.text ENDS WITH '?' OR node.text ENDS WITH '？',
  held.timeline_role, node.origin, node.key, coll.distinct(coalesce(node.flags, []) + coalesce(held.flags, [])), held.last_evidence_at.epochMillis, held.restated_at.epochMillis,
  held.counter_statements
]) AS seeds
RETURN seeds, head(COLLECT {
  MATCH (group:Group {id: $group_id}) RETURN group {.stale_days, .stale_keys, .stale_keys_days}
}) AS settings, COUNT { MATCH (waiting:Pending {group_id: $group_id}) WHERE waiting.audience IN $audiences } AS pending
