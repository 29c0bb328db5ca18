// How many atoms of the whole database wait for their vectors.

CYPHER 25
RETURN COUNT { (:Pending) } AS pending
