// Lock the subjects whose statements a batch may touch, in sorted order: a statement without a key may touch any of them.
// param group_id  the group
// param subjects  ids of the subjects, sorted

CYPHER 25
UNWIND $subjects AS id
MERGE (subject:Subject {group_id: $group_id, id: id})
SET subject.writes = coalesce(subject.writes, 0) + 1
RETURN count(subject) AS locked
