// The arms that need no vector: both full texts, and the entities that the question names.
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
