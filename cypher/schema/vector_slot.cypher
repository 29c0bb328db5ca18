// Vectors of a slot over atoms and clusters; group, audience, status, subject and time are filtered inside the index.
// param dimension  length of the model's vectors

CYPHER 25
CREATE VECTOR INDEX vector_slot IF NOT EXISTS
FOR (n:Atom|Cluster)
ON n.embedding_slot
WITH [n.group_id, n.audience, n.status, n.subject_id, n.day, n.occurred_ms]
OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine'}}
