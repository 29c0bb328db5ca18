// Wait until every index answers.
// param seconds  how long to wait at most

CYPHER 25
CALL db.awaitIndexes($seconds)
