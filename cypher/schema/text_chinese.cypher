// Full text for Chinese, in overlapping pairs of signs; same properties in another order, or Neo4j keeps one index.

CYPHER 25
CREATE FULLTEXT INDEX text_chinese IF NOT EXISTS
FOR (n:Atom|Cluster)
ON EACH [n.group_tag, n.audience_tag, n.status, n.day_token, n.window]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'cjk'}}
