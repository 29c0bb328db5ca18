// What ranking needs of each node that an arm found, in one row of lists: hundreds of rows of maps take four times as long.
WITH node, collect([span.name, arm, score]) AS hits
WHERE $known_at IS NULL OR node.recorded_at <= $known_at
OPTIONAL MATCH (fact:Atom {group_id: $group_id, id: node.restates})
WITH node, hits, CASE WHEN fact IS NULL OR NOT node.status IN ['active', 'conflict'] THEN node ELSE fact END AS held  // a restatement shares its fact's standing
WHERE held.status IN $statuses
// One row of lists: hundreds of rows of maps take four times as long on the way.
WITH collect([
  node.id, labels(node)[0], hits, held.status, node.importance, node.occurred_at.epochMillis, node.mentioned_from IS NOT NULL, node.subject,
  node.user_id, coalesce(node.length, size(node.text)), coalesce(node.asks, node.text ENDS WITH '?' OR node.text ENDS WITH '？'),
  held.timeline_role, node.origin, node.key, coll.distinct(coalesce(node.flags, []) + coalesce(held.flags, [])), held.last_evidence_at.epochMillis, held.restated_at.epochMillis,
  held.counter_statements
]) AS seeds
// Subqueries as steps of the plan: as expressions they take some milliseconds each.
CALL () {
  MATCH (group:Group {id: $group_id})
  RETURN collect(group {.stale_days, .stale_keys, .stale_keys_days}) AS found
}
CALL () {
  MATCH (waiting:Pending {group_id: $group_id})
  WHERE waiting.audience IN $audiences
  RETURN count(*) AS pending
}
RETURN seeds, head(found) AS settings, pending
