// Write what was decided of a batch: standings, edges between statements, what restatements rest on, and the decisions.
// What is made and over within one batch is made before it is closed. Instants come as text: the driver takes a thousand
// times as long for them.
// param group_id    the group
// param batch     in one map, so that the plan does not depend on what is empty:
//   standings: atoms and their standing: {id, properties, times}
//   supersedes: edges from the newer to the older: {start, end, at}
//   refines: edges from the more specific to the more general: {start, end, at}
//   conflicts: edges between two sides: {start, end, at}
//   proposals: edges from the newer to what it may supersede: {start, end, verdict, at}
//   closed: conflicts that are over: {start, end, at}
//   answered: proposals that are accepted or declined: {start, end, accepted, decision_id, at}
//   cut: SUPERSEDES and REFINES edges to cut: {start, end}
//   restated: what a restatement rests on, for the atom that was restated: {id, source_id, source_kind, record_id,
//     quote}
//   decisions: decisions: {id, at, properties, touched: [{id, before, after, before_status, after_status}]}

CYPHER 25
CALL () {
  UNWIND $batch.standings AS change
  MATCH (atom:Atom {group_id: $group_id, id: change.id})
  SET atom += change.properties,
      atom.valid_from = datetime(change.times.valid_from), atom.valid_until = datetime(change.times.valid_until),
      atom.last_evidence_at = datetime(change.times.last_evidence_at),
      atom.conflict_since = datetime(change.times.conflict_since), atom.restated_at = datetime(change.times.restated_at)
}
CALL () {
  UNWIND $batch.supersedes AS edge
  MATCH (newer:Atom {group_id: $group_id, id: edge.start})
  MATCH (older:Atom {group_id: $group_id, id: edge.end})
  CREATE (newer)-[:SUPERSEDES {at: datetime(edge.at)}]->(older)
}
CALL () {
  UNWIND $batch.refines AS edge
  MATCH (specific:Atom {group_id: $group_id, id: edge.start})
  MATCH (general:Atom {group_id: $group_id, id: edge.end})
  CREATE (specific)-[:REFINES {at: datetime(edge.at)}]->(general)
}
CALL () {
  UNWIND $batch.conflicts AS edge
  MATCH (one:Atom {group_id: $group_id, id: edge.start})
  MATCH (other:Atom {group_id: $group_id, id: edge.end})
  CREATE (one)-[:CONFLICTS_WITH {since: datetime(edge.at)}]->(other)
}
CALL () {
  UNWIND $batch.proposals AS edge
  MATCH (newer:Atom {group_id: $group_id, id: edge.start})
  MATCH (older:Atom {group_id: $group_id, id: edge.end})
  CREATE (newer)-[:MAY_SUPERSEDE {verdict: edge.verdict, at: datetime(edge.at)}]->(older)
}
CALL () {
  UNWIND $batch.closed AS edge
  MATCH (:Atom {group_id: $group_id, id: edge.start})-[open:CONFLICTS_WITH]-(:Atom {group_id: $group_id, id: edge.end})
  SET open.closed_at = datetime(edge.at)
}
CALL () {
  UNWIND $batch.answered AS edge
  MATCH (:Atom {group_id: $group_id, id: edge.start})-[open:MAY_SUPERSEDE]->(:Atom {group_id: $group_id, id: edge.end})
  WHERE open.closed_at IS NULL
  SET open.closed_at = datetime(edge.at), open.accepted = edge.accepted, open.decision_id = edge.decision_id
}
CALL () {
  UNWIND $batch.cut AS edge
  MATCH (:Atom {group_id: $group_id, id: edge.start})-[old:SUPERSEDES|REFINES]->(:Atom {group_id: $group_id, id: edge.end})
  DELETE old
}
CALL () {
  UNWIND $batch.restated AS row
  MATCH (atom:Atom {group_id: $group_id, id: row.id})
  MATCH (source:Source {group_id: $group_id, id: row.source_id})
  MATCH (record:Record {group_id: $group_id, id: row.record_id})
  // The lock on its subject lets nobody else in; MERGE would lock the source and the record besides.
  FOREACH (_ IN CASE WHEN EXISTS { (atom)-[:OBSERVED_BY]->(source) } THEN [] ELSE [1] END |
    CREATE (atom)-[:OBSERVED_BY {kind: row.source_kind}]->(source))
  FOREACH (_ IN CASE WHEN EXISTS { (atom)-[:QUOTED_FROM]->(record) } THEN [] ELSE [1] END |
    CREATE (atom)-[:QUOTED_FROM {quote: row.quote}]->(record))
}
CALL () {
  UNWIND $batch.decisions AS row
  CREATE (decision:Decision {group_id: $group_id, id: row.id})
  SET decision += row.properties, decision.at = datetime(row.at)
  WITH decision, row
  UNWIND row.touched AS change
  MATCH (atom:Atom {group_id: $group_id, id: change.id})
  CREATE (decision)-[:DECIDED {
    before: change.before, after: change.after, before_status: change.before_status, after_status: change.after_status
  }]->(atom)
}
RETURN 0 AS done
