// Remove vectors of a slot that is not in use, some at a time.
// param property  property of the slot's vectors
// param limit     most nodes to clear at once

CYPHER 25
MATCH (node:Atom|Cluster)
WHERE node[$property] IS NOT NULL
WITH node LIMIT $limit
SET node[$property] = NULL
RETURN count(node) AS cleared
