"""The page of the API, in a real browser that can reach nothing but this machine."""

import os
import shutil
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page, async_playwright

import graph

QUERY = """query {{
  search(group: "{group}", viewer: "ann", question: "Where is the ladder?", limit: 1) {{
    evidence {{ atom {{ text }} paths {{ nodes {{ label }} }} }}
  }}
}}"""
LOOPBACK = {"127.0.0.1", "localhost", "[::1]"}


def chromium() -> str | None:
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


@pytest.fixture
async def page() -> AsyncIterator[Page]:
    executable = chromium()
    if executable is None:
        pytest.skip("There is no Chromium on this machine; set CHROMIUM to one.")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable)
        yield await browser.new_page()
        await browser.close()


async def test_graphiql_shows_and_runs_a_query_and_asks_no_other_machine(
    page: Page, url: str, memory: graph.Memory, group: str
) -> None:
    text = "Ann: The ladder stands behind the shed."
    await memory.record_events(graph.Scope(group, "ann"), [graph.Event(event_id="a", text=text)])
    asked, complaints = set[str](), list[str]()
    page.on("request", lambda request: asked.add(request.url))
    page.on("requestfailed", lambda request: complaints.append(f"{request.url}: {request.failure}"))
    page.on(
        "response", lambda response: None if response.ok else complaints.append(f"{response.url}: {response.status}")
    )
    page.on(
        "console",
        lambda said: complaints.append(f"{said.text} {said.location}") if said.type in {"error", "warning"} else None,
    )
    page.on("pageerror", lambda error: complaints.append(str(error)))

    await page.goto(f"{url}/graphql")
    await page.wait_for_selector(".graphiql-query-editor .CodeMirror")
    assert "GraphiQL" in await page.title()
    starting = page.locator(".graphiql-query-editor .CodeMirror-code")
    assert "search(group:" in (await starting.inner_text()).replace("\u200b", "")

    editor = page.locator(".graphiql-query-editor .CodeMirror")
    await editor.evaluate("(editor, text) => editor.CodeMirror.setValue(text)", QUERY.format(group=group))
    await page.locator(".graphiql-execute-button").click()
    await page.wait_for_selector(f'.result-window :text("{text}")')
    result = (await page.locator(".result-window").inner_text()).replace("\u200b", "")
    assert '"label": "Source"' in result
    assert "errors" not in result

    # The schema has come as well: the editor's documentation knows the fields.
    await page.get_by_label("Show Documentation Explorer").click()
    await page.locator(".graphiql-doc-explorer").get_by_role("link", name="Query").click()
    await page.locator(".graphiql-doc-explorer").get_by_role("link", name="atoms", exact=True).wait_for()

    strangers = {one for one in asked if urlsplit(one).scheme not in {"data", "blob"}}
    assert {urlsplit(one).hostname for one in strangers} <= LOOPBACK
    assert any(one.endswith("graphiql.js") for one in asked)
    assert complaints == []


async def test_a_file_that_is_not_of_the_page_is_not_served(url: str, page: Page) -> None:
    for name in ("artifacts.json", "..%2fartifacts.json", "react.js.map"):
        response = await page.request.get(f"{url}/graphiql/{name}")
        assert response.status == 404
