// Cut the NEXT edges that a new atom has come between.
// param group_id  the group
// param edges     ends of the edges: {earlier, later}

CYPHER 25
UNWIND $edges AS edge
MATCH (:Atom {group_id: $group_id, id: edge.earlier})-[next:NEXT]->(:Atom {group_id: $group_id, id: edge.later})
DELETE next
