// Finds the neighbours of an atom in its stream: `place` is the stream's hash, the time and the event id.

CYPHER 25
CREATE INDEX range_place IF NOT EXISTS
FOR (n:Atom)
ON (n.place)
