// What waits until somebody decides, the latest first: the newer side of each open conflict, proposed supersessions, and
// what was told with doubt or inferred. A row gives the atom, why it waits, what accepting would do, and the other atoms.
// A proposal to supersede what is current no more has nothing left to do: what proposed it waits only as in doubt.
// param group_id   the group
// param audiences  audiences that the viewer may see
// param first      most rows to return

CYPHER 25
MATCH (atom:Atom)
WHERE atom.group_id = $group_id AND atom.recorded_order > ''
  AND atom.audience IN $audiences AND atom.status IN ['active', 'conflict'] AND atom.restates IS NULL
  AND (atom.status = 'conflict' OR 'needs_confirmation' IN atom.flags)
CALL (atom) {
  MATCH (atom)-[open:MAY_SUPERSEDE]->(other:Atom)
  WHERE open.closed_at IS NULL AND other.audience IN $audiences AND other.status IN ['active', 'conflict']
  WITH open.verdict AS verdict, other ORDER BY other.recorded_order DESC
  RETURN 'proposal' AS why, verdict, collect(other.id) AS others
  UNION
  MATCH (atom)-[open:CONFLICTS_WITH]-(other:Atom)
  WHERE open.closed_at IS NULL AND other.audience IN $audiences AND other.recorded_order < atom.recorded_order
  WITH other ORDER BY other.recorded_order DESC
  WITH collect(other.id) AS others
  WHERE size(others) > 0
  RETURN 'conflict' AS why, NULL AS verdict, others
  UNION
  WITH atom
  WHERE atom.status = 'active'
    AND NOT EXISTS {
      MATCH (atom)-[open:MAY_SUPERSEDE]->(other:Atom)
      WHERE open.closed_at IS NULL AND other.audience IN $audiences AND other.status IN ['active', 'conflict']
    }
  RETURN 'doubt' AS why, NULL AS verdict, [] AS others
}
RETURN atom.id AS id, why, verdict, others
ORDER BY atom.recorded_order DESC, why LIMIT $first
