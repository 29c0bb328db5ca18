// Within a group, one Cluster has an id.

CYPHER 25
CREATE CONSTRAINT unique_cluster IF NOT EXISTS
FOR (n:Cluster)
REQUIRE (n.group_id, n.id) IS UNIQUE
