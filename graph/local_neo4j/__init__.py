"""A managed Neo4j server with GDS on this machine: fetched, started, shared and stopped here.

Needs no Docker, no account and no installed Java. It listens on the loopback address only and belongs to one
folder (`Settings.home`), which holds its data, its password and its logs.
"""

from graph.local_neo4j.home import disk_errors
from graph.local_neo4j.keeping import keep_running
from graph.local_neo4j.server import Instance, admin, ensure_parts, ensure_running, log_tail, status, stop

__all__ = [
    "Instance",
    "admin",
    "disk_errors",
    "ensure_parts",
    "ensure_running",
    "keep_running",
    "log_tail",
    "status",
    "stop",
]
