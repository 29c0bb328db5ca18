// Finds a subject's statements in the same words.

CYPHER 25
CREATE INDEX range_said IF NOT EXISTS
FOR (n:Atom)
ON (n.about, n.said_key)
