// Vectors of a slot over atoms and clusters; group, audience, status, subject and time are filtered inside the index.
// Not quantised: with that, the server searches wider than asked, and after a crash such a search fails for good in every group
// with fewer matches than that (docs/decisions.md).
// param dimension  length of the model's vectors

CYPHER 25
CREATE VECTOR INDEX vector_slot IF NOT EXISTS
FOR (n:Atom|Cluster)
ON n.embedding_slot
WITH [n.group_id, n.audience, n.status, n.subject_id, n.day, n.occurred_ms]
OPTIONS {indexConfig: {`vector.dimensions`: $dimension, `vector.similarity_function`: 'cosine', `vector.quantization.enabled`: false}}
