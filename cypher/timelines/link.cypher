// Join statements as was decided; close the conflicts that are over, and cut what a late statement has come between.
// What is made and over within one batch is made before it is closed.
// param group_id    the group
// param supersedes  edges from the newer to the older: {start, end, at}
// param refines     edges from the more specific to the more general: {start, end, at}
// param conflicts   edges between two sides: {start, end, at}
// param closed      conflicts that are over: {start, end, at}
// param cut         SUPERSEDES edges to cut: {start, end, at}

CYPHER 25
CALL () {
  UNWIND $supersedes AS edge
  MATCH (newer:Atom {group_id: $group_id, id: edge.start})
  MATCH (older:Atom {group_id: $group_id, id: edge.end})
  CREATE (newer)-[:SUPERSEDES {at: edge.at}]->(older)
}
CALL () {
  UNWIND $refines AS edge
  MATCH (specific:Atom {group_id: $group_id, id: edge.start})
  MATCH (general:Atom {group_id: $group_id, id: edge.end})
  CREATE (specific)-[:REFINES {at: edge.at}]->(general)
}
CALL () {
  UNWIND $conflicts AS edge
  MATCH (one:Atom {group_id: $group_id, id: edge.start})
  MATCH (other:Atom {group_id: $group_id, id: edge.end})
  CREATE (one)-[:CONFLICTS_WITH {since: edge.at}]->(other)
}
CALL () {
  UNWIND $closed AS edge
  MATCH (:Atom {group_id: $group_id, id: edge.start})-[open:CONFLICTS_WITH]-(:Atom {group_id: $group_id, id: edge.end})
  SET open.closed_at = edge.at
}
CALL () {
  UNWIND $cut AS edge
  MATCH (:Atom {group_id: $group_id, id: edge.start})-[old:SUPERSEDES]->(:Atom {group_id: $group_id, id: edge.end})
  DELETE old
}
