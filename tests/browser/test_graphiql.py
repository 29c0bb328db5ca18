"""The explorer, in a real browser."""

import os
import shutil

import pytest
from playwright.async_api import ConsoleMessage, Request, async_playwright

import graph

CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")

QUERY = """{ search(group: "%s", viewer: "ann", question: "Where is the spare key?") {
  evidence { atom { text } paths { cypher } } } }"""


@pytest.mark.skipif(CHROMIUM is None, reason="There is no Chromium here; set CHROMIUM to one.")
async def test_a_query_typed_into_graphiql_shows_its_answer_and_nothing_leaves_the_machine(
    url: str, memory: graph.Memory, scope: graph.Scope
) -> None:
    await memory.record_events(scope, [graph.Event(event_id="k", text="The spare key is under the blue pot.")])
    asked: list[str] = []
    complaints: list[str] = []

    def heard(message: ConsoleMessage) -> None:
        if message.type == "error":
            complaints.append(message.text)

    def requested(request: Request) -> None:
        asked.append(request.url)

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM)
        page = await browser.new_page()
        page.on("console", heard)
        page.on("request", requested)
        await page.goto(f"{url}/graphql")
        editor = page.locator(".graphiql-query-editor .CodeMirror")
        await editor.click()
        await page.keyboard.press("Control+A")
        await page.keyboard.insert_text(QUERY % scope.group)
        await page.keyboard.press("Control+Enter")
        result = page.locator(".graphiql-response")
        await result.get_by_text("under the blue pot").wait_for(timeout=20_000)
        await browser.close()
    assert complaints == []
    assert [one for one in asked if not one.startswith((url, "data:", "blob:"))] == []
