"""The API's reference as a page; `scripts/docs` writes it to docs/api.md, and a test holds the two together."""

from api.schema import schema

_PAGE = """# The GraphQL API

One endpoint, `/graphql`: POST JSON, or open it in a browser for GraphiQL. Made by `scripts/docs`.

Known errors say what was wrong and the way out; anything else is masked as "Unexpected error.".

```graphql
{sdl}
```
"""


def page() -> str:
    """Return the page."""
    return _PAGE.replace("{sdl}", schema.as_str())


if __name__ == "__main__":
    print(page(), end="")  # noqa: T201 - this is the output
