// The vector and full-text indexes as they are: what they hold, and how.

CYPHER 25
SHOW INDEXES YIELD name, type, state, properties, options
WHERE type IN ['VECTOR', 'FULLTEXT']
RETURN name, state, properties, options.indexConfig AS settings
