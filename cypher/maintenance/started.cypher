// When the databases of this server were started last.

CYPHER 25
SHOW DATABASES YIELD lastStartTime
RETURN toString(max(lastStartTime)) AS started
