// Atoms and clusters that have no vector in a slot yet.
// param property  property of the slot's vectors

CYPHER 25
MATCH (node:Atom|Cluster)
WHERE node[$property] IS NULL AND coalesce(node.text, node.summary) IS NOT NULL
RETURN elementId(node) AS id
