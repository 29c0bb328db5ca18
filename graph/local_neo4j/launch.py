"""How the server is launched: its configuration, class path, plugins and Java command line."""

import hashlib
import os
import secrets
import shutil
import socket
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from graph.errors import ServerStartFailed
from graph.local_neo4j.artifacts import Artifact
from graph.local_neo4j.home import ServerHome, write_private
from graph.local_neo4j.runtime import Java
from graph.local_neo4j.sizing import Memory
from graph.settings import Settings

LOOPBACK = "127.0.0.1"
USERNAME = "neo4j"
HASH_ROUNDS = 1024
SERVER_CLASS = "org.neo4j.server.Neo4jCommunity"
ADMIN_CLASS = "org.neo4j.server.startup.Neo4jAdminCommand"
FIRST_HEAP = "256m"  # grows as needed up to the limit; a larger one only raises the memory held when idle
FIRST_JAVA_WITH_UNSAFE_SWITCH = 23

_OPENED_PACKAGES = ("java.nio", "java.io", "sun.nio.ch", "java.util.concurrent")

# Reachable from this machine only, silent towards the outside, small on disk. What a commit must have written
# before it is acknowledged is left as Neo4j has it.
_CONFIGURATION = """\
# Written by FuseGraph at every start of the server.
server.default_listen_address={host}
server.bolt.listen_address={host}:{bolt}
server.bolt.advertised_address={host}:{bolt}
server.http.listen_address={host}:{http}
server.http.advertised_address={host}:{http}
server.http.x_forward.enabled=false
server.https.enabled=false
server.memory.heap.max_size={heap}
server.memory.pagecache.size={page_cache}
dbms.security.procedures.unrestricted=gds.*
dbms.usage_report.enabled=false
dbms.fleet_manager.enabled=false
server.fleet_discovery.enabled=false
server.bolt.telemetry.enabled=false
client.allow_telemetry=false
# A database that grows outdates its plans every ten seconds, and each takes up to a second to be made anew.
dbms.cypher.min_replan_interval=60s
# Logs of 16 MB, laid out ahead. Without that a full disk tears an entry, and the database starts no more.
db.tx_log.rotation.size=16M
# A stop takes a fraction of a second instead of ten.
internal.dbms.bolt.netty_server_shutdown_quiet_period_duration=0s
"""


@dataclass(frozen=True, slots=True)
class Ports:
    """Where the server listens on the loopback address."""

    bolt: int
    http: int


def choose_ports(settings: Settings, last: Ports | None) -> Ports:
    """The ports that are set, else those of the last run if still free, else any free ones.

    Raises:
        ServerStartFailed: a port that is set is in use.
    """
    with ExitStack() as held:  # both at once, so that they differ
        return Ports(
            bolt=_port("FUSEGRAPH_BOLT_PORT", settings.bolt_port, last.bolt if last else 0, held),
            http=_port("FUSEGRAPH_HTTP_PORT", settings.http_port, last.http if last else 0, held),
        )


def _port(name: str, wanted: int | None, last: int, held: ExitStack) -> int:
    if wanted:
        if not _bind(wanted, held):
            raise ServerStartFailed(f"Port {wanted} is in use or not allowed: free it or set {name} to another.")
        return wanted
    return (last and _bind(last, held)) or _bind(0, held)


def _bind(port: int, held: ExitStack) -> int:
    """Take a port (0: any free one) until `held` closes; 0 where it cannot be had."""
    probe = held.enter_context(socket.socket())
    # As the server will: a port whose last connections are still being closed counts as free.
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        probe.bind((LOOPBACK, port))
        probe.listen()
    except OSError:
        return 0
    return int(probe.getsockname()[1])


def configure(home: ServerHome, ports: Ports, memory: Memory) -> None:
    """Write the configuration for this start."""
    text = _CONFIGURATION.format(
        host=LOOPBACK,
        bolt=ports.bolt,
        http=ports.http,
        heap=memory.heap,
        page_cache=memory.page_cache,
    )
    (home.conf / "neo4j.conf").write_text(text, "utf-8")


def install(home: ServerHome, artifacts: Sequence[Artifact], cache: Path) -> None:
    """Lay out the class path and the plugins folder.

    GDS is in both: Neo4j finds extensions on the class path, procedures by a look into the plugins folder.
    """
    jars = os.pathsep.join(str(artifact.jar(cache)) for artifact in artifacts)
    quoted = jars.replace("\\", "\\\\").replace('"', '\\"')
    # In a file, as some systems cannot pass so long a class path on a command line.
    _class_path(home).write_text(f'-cp "{quoted}"\n', "utf-8")
    shutil.rmtree(home.plugins)
    home.plugins.mkdir()
    for artifact in artifacts:
        if artifact.role == "gds":
            (home.plugins / artifact.file_name).symlink_to(artifact.jar(cache))


def server_command(home: ServerHome, java: Java, memory: Memory, further_flags: Sequence[str] = ()) -> list[str]:
    """The command line of the server."""
    return [
        str(java.executable),
        "-XX:+ExitOnOutOfMemoryError",
        f"-Xms{min(FIRST_HEAP, memory.heap, key=_bytes)}",
        f"-Xmx{memory.heap}",
        *further_flags,
        *java_flags(java),
        *class_path_flags(home),
        SERVER_CLASS,
        f"--home-dir={home.path}",
        f"--config-dir={home.conf}",
    ]


def is_server_of(home: ServerHome, command: Sequence[str]) -> bool:
    """Whether a process with this command line is a server on this folder."""
    return SERVER_CLASS in command and f"--home-dir={home.path}" in command


def admin_command(home: ServerHome, java: Java, arguments: Sequence[str]) -> list[str]:
    """The command line of `neo4j-admin`; run it with `admin_environment`."""
    return [str(java.executable), *java_flags(java), *class_path_flags(home), ADMIN_CLASS, *arguments]


def admin_environment(home: ServerHome) -> dict[str, str]:
    """What `neo4j-admin` reads from the environment, besides what is there."""
    return {**os.environ, "NEO4J_HOME": str(home.path), "NEO4J_CONF": str(home.conf)}


def set_initial_password(home: ServerHome, password: str) -> None:
    """Give an empty database its password.

    This writes what `neo4j-admin dbms set-initial-password` writes, without two seconds of another Java process.
    """
    salt = secrets.token_bytes(32)
    digest = hashlib.sha256(salt + password.encode()).digest()
    for _ in range(HASH_ROUNDS - 1):
        digest = hashlib.sha256(digest).digest()
    file = home.path / "data" / "dbms" / "auth.ini"
    file.parent.mkdir(parents=True, exist_ok=True)
    write_private(file, f"{USERNAME}:SHA-256,{digest.hex()},{salt.hex()},{HASH_ROUNDS}:")


def java_flags(java: Java) -> list[str]:
    """What Neo4j needs of a Java runtime, whatever it is to do."""
    flags = ["-XX:+UseG1GC"]
    flags += [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in _OPENED_PACKAGES]
    flags += ["--enable-native-access=ALL-UNNAMED", "-Dio.netty.tryReflectionSetAccessible=true"]
    if java.has_vector:
        flags.append("--add-modules=jdk.incubator.vector")
    if java.version >= FIRST_JAVA_WITH_UNSAFE_SWITCH:
        flags.append("--sun-misc-unsafe-memory-access=allow")  # else each run warns about a library of Neo4j
    return flags


def class_path_flags(home: ServerHome) -> list[str]:
    """The class path that `install` laid out."""
    return [f"@{_class_path(home)}"]


def _class_path(home: ServerHome) -> Path:
    return home.conf / "class-path.args"


def _bytes(size: str) -> int:
    return int(size[:-1]) << {"m": 20, "g": 30}[size[-1]]
