"""The rules of memory: ingest, search, audit."""
