// How much the whole database holds.

CYPHER 25
RETURN
  COUNT { (:Atom) } AS atoms,
  COUNT { (:Pending) } AS pending,
  COUNT { (:Cluster) } AS clusters,
  COUNT { (:Group) } AS groups,
  COUNT { ()-->() } AS edges
