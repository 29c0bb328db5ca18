"""GraphiQL without the internet: its scripts come out of the locked parts in the user's cache."""

import asyncio
import re
import zipfile
from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from graph import local_neo4j
from graph.settings import Settings

_FILES = {
    "react.js": ("react", "umd/react.production.min.js", "text/javascript"),
    "react-dom.js": ("react-dom", "umd/react-dom.production.min.js", "text/javascript"),
    "graphiql.js": ("graphiql", "graphiql.min.js", "text/javascript"),
    "graphiql.css": ("graphiql", "graphiql.min.css", "text/css"),
}

_START = """# Ask as a viewer of a group. Ctrl-Enter runs it.
query {
  search(group: "household", viewer: "mira", question: "Why was the dentist missed?", limit: 3) {
    evidence {
      rank
      atom { text occurredAt sources { name } }
      paths { nodes { label caption } edges { type forward } cypher }
    }
  }
}
"""

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>FuseGraph: GraphiQL</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/graphiql/graphiql.css">
<style>html, body, #graphiql { height: 100%; margin: 0 }</style>
</head>
<body>
<div id="graphiql"></div>
<script id="start" type="text/plain">START</script>
<script src="/graphiql/react.js"></script>
<script src="/graphiql/react-dom.js"></script>
<script src="/graphiql/graphiql.js"></script>
<script>
const fetcher = GraphiQL.createFetcher({ url: "/graphql" });
const start = document.getElementById("start").textContent;
ReactDOM.createRoot(document.getElementById("graphiql"))
  .render(React.createElement(GraphiQL, { fetcher, defaultQuery: start }));
</script>
</body>
</html>
""".replace("START", _START)


def render_graphiql(_: Request) -> HTMLResponse:
    """Return the page."""
    return HTMLResponse(_PAGE)


def graphiql_routes(settings: Settings) -> list[BaseRoute]:
    """Return the route of the page's scripts; they are fetched into the cache when first asked for."""

    async def script(request: Request) -> Response:
        if (found := _FILES.get(request.path_params["name"])) is None:
            return PlainTextResponse("There is no such file.", status_code=404)
        package, path, kind = found
        jars = await local_neo4j.ensure_parts(settings, "graphiql")
        content = await asyncio.to_thread(_read, jars, package, path)
        return Response(content, media_type=kind, headers={"Cache-Control": "max-age=86400"})

    return [Route("/graphiql/{name}", script)]


def _read(jars: list[Path], package: str, path: str) -> bytes:
    jar = next(jar for jar in jars if re.match(rf"{package}-\d", jar.name))
    with zipfile.ZipFile(jar) as archive:
        name = next(name for name in archive.namelist() if name.endswith(f"/{path}"))
        return archive.read(name)
