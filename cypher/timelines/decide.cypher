// Keep decisions, each with what it changed: who or which rule, from what to what, when and why.
// param group_id   the group
// param decisions  decisions: {id, properties, touched: [{id, before, after, before_status, after_status}]}

CYPHER 25
UNWIND $decisions AS row
CREATE (decision:Decision {group_id: $group_id, id: row.id})
SET decision += row.properties
WITH decision, row
UNWIND row.touched AS change
MATCH (atom:Atom {group_id: $group_id, id: change.id})
CREATE (decision)-[:DECIDED {
  before: change.before, after: change.after, before_status: change.before_status, after_status: change.after_status
}]->(atom)
RETURN count(*) AS decided
