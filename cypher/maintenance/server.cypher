// What the server is: versions of Neo4j and of Cypher, and whether it is the Community edition.

CYPHER 25
CALL dbms.components() YIELD name, versions, edition
RETURN name, versions, edition
