// Write the atoms of a batch with their provenance and the entities they mention.
// param group_id  the group
// param atoms     atoms: {properties, source_id, record_id, quote, entity_ids}

CYPHER 25
UNWIND $atoms AS row
MATCH (source:Source {group_id: $group_id, id: row.source_id})
MATCH (record:Record {group_id: $group_id, id: row.record_id})
CREATE (atom:Atom)
SET atom = row.properties
CREATE (atom)-[:OBSERVED_BY]->(source)
CREATE (atom)-[:QUOTED_FROM {quote: row.quote}]->(record)
WITH atom, row
CALL (atom, row) {
  UNWIND row.entity_ids AS id
  MATCH (entity:Entity {group_id: $group_id, id: id})
  CREATE (atom)-[:MENTIONS]->(entity)
}
RETURN count(atom) AS created
