// The proposal that one atom may supersede another, where it is open; and how many others that atom makes.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param id         id of the atom that was said later
// param target_id  id of the atom that it may supersede

CYPHER 25
MATCH (atom:Atom {group_id: $group_id, id: $id})-[open:MAY_SUPERSEDE]->(target:Atom {group_id: $group_id, id: $target_id})
WHERE open.closed_at IS NULL AND atom.audience IN $audiences AND target.audience IN $audiences
RETURN open.verdict AS verdict, COUNT {
  MATCH (atom)-[other:MAY_SUPERSEDE]->(:Atom) WHERE other.closed_at IS NULL
} - 1 AS others
LIMIT 1
