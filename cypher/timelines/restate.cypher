// Add what a restatement rests on to the atom that was restated.
// param group_id    the group
// param statements  restatements: {id, source_id, record_id, quote}

CYPHER 25
UNWIND $statements AS row
MATCH (atom:Atom {group_id: $group_id, id: row.id})
MATCH (source:Source {group_id: $group_id, id: row.source_id})
MATCH (record:Record {group_id: $group_id, id: row.record_id})
MERGE (atom)-[:OBSERVED_BY]->(source)
MERGE (atom)-[from:QUOTED_FROM]->(record)
  ON CREATE SET from.quote = row.quote
RETURN count(*) AS restated
