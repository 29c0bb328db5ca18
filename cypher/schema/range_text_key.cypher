// Finds a subject's statements in the same words.

CYPHER 25
CREATE INDEX range_text_key IF NOT EXISTS
FOR (n:Atom)
ON (n.subject_id, n.text_key)
