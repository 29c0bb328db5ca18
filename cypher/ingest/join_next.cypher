// Join atoms that follow each other in a stream.
// param group_id  the group
// param edges     ends of the edges: {earlier, later}

CYPHER 25
UNWIND $edges AS edge
MATCH (earlier:Atom {group_id: $group_id, id: edge.earlier})
MATCH (later:Atom {group_id: $group_id, id: edge.later})
CREATE (earlier)-[:NEXT]->(later)
RETURN count(*) AS joined
