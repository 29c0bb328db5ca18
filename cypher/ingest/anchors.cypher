// Make the provenance nodes of a batch where they are missing; all lists are sorted, against deadlocks.
// Where events disagree, what is kept does not depend on who came first: the least name, the narrowest audience.
// param group_id  the group
// param users     ids of the users
// param sources   sources: {id, name, kind, user_id}
// param entities  entities: {id, key, name}
// param records   records: {id, name, text, audience}

CYPHER 25
CALL () {
  UNWIND $users AS id
  MERGE (user:User {group_id: $group_id, id: id})
}
CALL () {
  UNWIND $sources AS row
  MERGE (source:Source {group_id: $group_id, id: row.id})
    ON CREATE SET source.name = row.name, source.kind = row.kind, source.user_id = row.user_id
    ON MATCH SET source.kind = CASE WHEN row.kind < source.kind THEN row.kind ELSE source.kind END
  WITH source, row
  MATCH (user:User {group_id: $group_id, id: row.user_id})
  MERGE (source)-[:OWNED_BY]->(user)
}
CALL () {
  UNWIND $entities AS row
  MERGE (entity:Entity {group_id: $group_id, id: row.id})
    ON CREATE SET entity.key = row.key, entity.name = row.name
    ON MATCH SET entity.name = CASE WHEN row.name < entity.name THEN row.name ELSE entity.name END
}
CALL () {
  UNWIND $records AS row
  MERGE (record:Record {group_id: $group_id, id: row.id})
    ON CREATE SET record.name = row.name, record.audience = row.audience, record.received_at = datetime()
  SET record.text = coalesce(record.text, row.text),
      record.audience = CASE
        WHEN row.audience IN ['group', record.audience] THEN record.audience
        WHEN record.audience = 'group' THEN row.audience
        ELSE ''
      END
}
