// Lock subjects, in sorted order, and go one step on with each: its number in the subject's sequence, and its clock.
// param group_id  the group
// param subjects  ids of the subjects, sorted
// param now_us    the time of the process, in microseconds since 1970

CYPHER 25
UNWIND $subjects AS id
MERGE (subject:Subject {group_id: $group_id, id: id})
SET subject.locked = true  // takes the lock before anything is read
SET subject.writes = coalesce(subject.writes, 0) + 1
SET subject.sequence = coalesce(subject.sequence, 0) + 1,
    subject.clock_us = CASE WHEN subject.clock_us >= $now_us THEN subject.clock_us + 1 ELSE $now_us END
RETURN subject.id AS id, subject.sequence AS sequence, subject.clock_us AS clock_us
