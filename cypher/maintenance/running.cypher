// The transactions that run now.

CYPHER 25
SHOW TRANSACTIONS YIELD transactionId
RETURN collect(transactionId) AS ids
