// The texts that the vectors of some atoms and clusters are made of.
// param ids      element ids
// param longest  characters of a text that are embedded

CYPHER 25
UNWIND $ids AS id
MATCH (node) WHERE elementId(node) = id
RETURN id, left(coalesce(node.text, node.summary), $longest) AS text
