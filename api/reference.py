"""The API's reference as a page; `scripts/docs` writes it to docs/api.md, and a test holds the two together."""

import graph
from api.bodies import BAD_REQUEST, MOST_BODY_BYTES
from api.limits import DEEPEST, MOST_FIELDS, MOST_SEARCHES, MOST_SELECTED, MOST_TOKENS
from api.schema import schema
from api.schema.errors import INTERNAL
from graph import errors

_PAGE = """# The GraphQL API

One endpoint, `/graphql`: POST JSON, or open it in a browser for GraphiQL. Made by `scripts/docs`.

## Errors

Known errors say what was wrong and the way out; anything else is masked as "Unexpected error.". Each has a code in
`extensions.code`:

| code | what it says |
| --- | --- |
{codes}

What is no request at all (another content type, broken JSON or UTF-8, no `query`) is answered with 400 and the same
form of error, a body that is too long with 413 and `TOO_LARGE`, another method with 405 and `METHOD_NOT_ALLOWED`.

What becomes of each event and statement stands in its receipt: REJECTED and REFUSED are no errors.

## Limits

| of | at most |
| --- | --- |
{limits}

A `nextCursor` goes on in the list that gave it, for the same viewer; any other text in `after` is refused.

## Schema

```graphql
{sdl}
```
"""

_LIMITS = {
    "a request's body": f"{MOST_BODY_BYTES:,} bytes",
    "a document": f"{MOST_TOKENS:,} words and signs, {DEEPEST} levels",
    "an operation": f"{MOST_FIELDS} top-level fields ({MOST_SEARCHES} searches), {MOST_SELECTED} fields in all",
    "`search`": f"{graph.MOST_QUESTION:,} characters of the question, {graph.MOST_RESULTS} pieces of evidence",
    "`recordEvents`": f"{graph.MOST_EVENTS:,} events",
    "`remember`": f"{graph.MOST_STATEMENTS} statements",
    "`atoms`": f"{graph.MOST_LISTED} atoms a page",
}


def page() -> str:
    """Return the page."""
    kinds = [one for one in vars(errors).values() if isinstance(one, type) and issubclass(one, errors.FuseGraphError)]
    codes = {
        BAD_REQUEST: "The document, or a variable, does not fit the schema or asks for too much; nothing was run.",
        **{kind.code: str(kind.__doc__) for kind in kinds},
        INTERNAL: "Something unexpected; the log says what.",
    }
    parts = {"codes": _rows({f"`{code}`": told for code, told in codes.items()}), "limits": _rows(_LIMITS)}
    text = _PAGE
    for name, part in {**parts, "sdl": schema.as_str()}.items():
        text = text.replace(f"{{{name}}}", part)
    return text


def _rows(cells: dict[str, str]) -> str:
    return "\n".join(f"| {of} | {told} |" for of, told in cells.items())


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201 - this is the output
