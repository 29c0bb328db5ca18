// Write what was decided of a batch: standings, edges between statements, what restatements rest on, and the decisions.
// What is made and over within one batch is made before it is closed. Instants come as text: the driver takes a thousand
// times as long for them.
// param group_id    the group
// param standings   atoms and their standing: {id, properties, times}
// param supersedes  edges from the newer to the older: {start, end, at}
// param refines     edges from the more specific to the more general: {start, end, at}
// param conflicts   edges between two sides: {start, end, at}
// param proposals   edges from the newer to what it may supersede: {start, end, verdict, at}
// param closed      conflicts that are over: {start, end, at}
// param answered    proposals that are accepted or declined, or over: {start, end, accepted, at}
// param cut         SUPERSEDES and REFINES edges to cut: {start, end}
// param restated    what a restatement rests on, for the atom that was restated: {id, source_id, record_id, quote}
// param decisions   decisions: {id, at, properties, touched: [{id, before, after, before_status, after_status}]}

CYPHER 25
CALL () {
  UNWIND $standings AS change
  MATCH (atom:Atom {group_id: $group_id, id: change.id})
  SET atom += change.properties,
      atom.valid_from = datetime(change.times.valid_from), atom.valid_until = datetime(change.times.valid_until),
      atom.last_evidence_at = datetime(change.times.last_evidence_at),
      atom.conflict_since = datetime(change.times.conflict_since), atom.restated_at = datetime(change.times.restated_at)
}
CALL () {
  UNWIND $supersedes AS edge
  MATCH (newer:Atom {group_id: $group_id, id: edge.start})
  MATCH (older:Atom {group_id: $group_id, id: edge.end})
  CREATE (newer)-[:SUPERSEDES {at: datetime(edge.at)}]->(older)
}
CALL () {
  UNWIND $refines AS edge
  MATCH (specific:Atom {group_id: $group_id, id: edge.start})
  MATCH (general:Atom {group_id: $group_id, id: edge.end})
  CREATE (specific)-[:REFINES {at: datetime(edge.at)}]->(general)
}
CALL () {
  UNWIND $conflicts AS edge
  MATCH (one:Atom {group_id: $group_id, id: edge.start})
  MATCH (other:Atom {group_id: $group_id, id: edge.end})
  CREATE (one)-[:CONFLICTS_WITH {since: datetime(edge.at)}]->(other)
}
CALL () {
  UNWIND $proposals AS edge
  MATCH (newer:Atom {group_id: $group_id, id: edge.start})
  MATCH (older:Atom {group_id: $group_id, id: edge.end})
  CREATE (newer)-[:MAY_SUPERSEDE {verdict: edge.verdict, at: datetime(edge.at)}]->(older)
}
CALL () {
  UNWIND $closed AS edge
  MATCH (:Atom {group_id: $group_id, id: edge.start})-[open:CONFLICTS_WITH]-(:Atom {group_id: $group_id, id: edge.end})
  SET open.closed_at = datetime(edge.at)
}
CALL () {
  UNWIND $answered AS edge
  MATCH (:Atom {group_id: $group_id, id: edge.start})-[open:MAY_SUPERSEDE]->(:Atom {group_id: $group_id, id: edge.end})
  WHERE open.closed_at IS NULL
  SET open.closed_at = datetime(edge.at), open.accepted = edge.accepted
}
CALL () {
  UNWIND $cut AS edge
  MATCH (:Atom {group_id: $group_id, id: edge.start})-[old:SUPERSEDES|REFINES]->(:Atom {group_id: $group_id, id: edge.end})
  DELETE old
}
CALL () {
  UNWIND $restated AS row
  MATCH (atom:Atom {group_id: $group_id, id: row.id})
  MATCH (source:Source {group_id: $group_id, id: row.source_id})
  MATCH (record:Record {group_id: $group_id, id: row.record_id})
  MERGE (atom)-[:OBSERVED_BY]->(source)
  MERGE (atom)-[from:QUOTED_FROM]->(record)
    ON CREATE SET from.quote = row.quote
}
CALL () {
  UNWIND $decisions AS row
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
