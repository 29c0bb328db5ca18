// Within a group, one atom comes from an event id.

CYPHER 25
CREATE CONSTRAINT unique_event IF NOT EXISTS
FOR (n:Atom)
REQUIRE (n.group_id, n.event_id) IS UNIQUE
