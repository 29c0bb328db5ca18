// Finds the neighbours of an atom in its stream: `stream_position` is the stream's hash, the time and the event id.

CYPHER 25
CREATE INDEX range_stream_position IF NOT EXISTS
FOR (n:Atom)
ON (n.stream_position)
