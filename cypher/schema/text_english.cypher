// Full text for languages with spaces, stemmed as English; the tags bind a query to a group and its audiences.

CYPHER 25
CREATE FULLTEXT INDEX text_english IF NOT EXISTS
FOR (n:Atom|Cluster)
ON EACH [n.window, n.group_tag, n.audience_tag, n.status, n.day_token]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english'}}
