"""Fits the weights by which statements are read, on the labelled pairs that were looked at. Needs a checkout."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple
from zlib import crc32

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.linear_model import LogisticRegression

import graph
from graph.ports import Progress
from graph.wording import features, marking, reading
from graph.wording.reading import Sense

_LEAST_ROWS: Final = 2
"""Rows in which a sign must stand to be weighed."""

_LEAST_WEIGHT: Final = 0.03
"""Weights that are kept: of a sign of which none is greater, nothing is lost."""

_STRENGTH: Final = 0.3
"""Inverse strength of the ridge penalty; chosen by cross-validation over the sets (docs/decisions.md)."""


class Row(NamedTuple):
    """A statement beside an old one, and how it is to be read."""

    text: str
    value: str | None
    old: str
    old_value: str | None
    key: str | None
    names: tuple[str, ...]
    sense: Sense


_KEYED: Final = {
    graph.Verdict.NOOP: Sense.ASSERTS,
    graph.Verdict.REFINE: Sense.REFINES,
    graph.Verdict.CONFLICT: Sense.ASSERTS,
    graph.Verdict.UPDATE: Sense.REPLACES,
    graph.Verdict.INVALIDATE: Sense.ENDS,
}
_UNKEYED: Final = {
    graph.Verdict.UPDATE: Sense.REPLACES,
    graph.Verdict.INVALIDATE: Sense.ENDS,
    graph.Verdict.REFINE: Sense.REFINES,
    graph.Verdict.CONFLICT: Sense.ASSERTS,
}


def rows_of(pairs: Iterable[Mapping[str, Any]]) -> list[Row]:
    """Return what is to be learned of pairs: the new statement beside the old, and each alone, with nothing known."""
    rows: list[Row] = []
    for pair in pairs:
        key, old, new = pair["key"], pair["old"], pair["new"]
        names = (pair.get("subject") or "ann",)
        verdict = graph.Verdict(pair["expected"])
        if key is None:
            rows.append(Row(new["text"], None, old["text"], None, None, names, _UNKEYED.get(verdict, Sense.APART)))
            continue
        sense = _KEYED.get(verdict, Sense.APART)
        rows.append(Row(new["text"], new["value"], old["text"], old["value"], key, names, sense))
        if sense is Sense.ENDS and new["value"] is None and old["value"]:  # the value given is the one that is over
            rows.append(Row(new["text"], old["value"], old["text"], old["value"], key, names, sense))
        if old["value"]:
            rows.append(Row(old["text"], old["value"], "", None, key, names, Sense.ASSERTS))
        if new["value"] and sense is not Sense.APART:
            rows.append(Row(new["text"], new["value"], "", None, key, names, Sense.ASSERTS))
    return rows


def fit(rows: Sequence[Row], progress: Progress) -> dict[str, Any]:
    """Return the fitted weights as `graph.wording.reading` keeps them."""
    told = []
    for number, row in enumerate(rows, 1):
        told.append(_signs(row))
        if number % 500 == 0 or number == len(rows):
            progress("reading pairs", number, len(rows))
    counts = Counter(sign for signs in told for sign in signs)
    places = {sign: place for place, sign in enumerate(s for s, n in counts.items() if n >= _LEAST_ROWS)}
    model = LogisticRegression(C=_STRENGTH, max_iter=300, tol=1e-3)
    model.fit(_matrix(told, places), [row.sense for row in rows])
    weights = model.coef_.T
    kept = np.abs(weights).max(axis=1) >= _LEAST_WEIGHT
    hashes = np.array([crc32(sign.encode()) for sign in places], np.uint32)[kept]
    return {
        "senses": np.array(model.classes_, dtype=str),
        "hashes": hashes,
        "weights": weights[kept].astype(np.float16),
        "intercept": model.intercept_.astype(np.float32),
    }


def _signs(row: Row) -> Mapping[str, float]:
    signs = features.signs_of(
        row.text, value=row.value, old=row.old, old_value=row.old_value, key=row.key, names=row.names
    )
    return signs.found


def _matrix(told: Sequence[Mapping[str, float]], places: Mapping[str, int]) -> csr_matrix:
    values, columns, starts = [], [], [0]
    for signs in told:
        for sign, weight in signs.items():
            if sign in places:
                columns.append(places[sign])
                values.append(weight)
        starts.append(len(columns))
    return csr_matrix((values, columns, starts), shape=(len(told), len(places)), dtype=np.float32)


def digest(file: Path) -> str:
    """Return the SHA-256 of a file."""
    return hashlib.sha256(file.read_bytes()).hexdigest()


def save(fitted: Mapping[str, Any], about: Mapping[str, Any]) -> None:
    """Write the weights, with what they were fitted on."""
    with (Path(reading.__file__).parent / reading.WEIGHTS).open("wb") as file:
        np.savez_compressed(file, about=np.array(json.dumps(about, sort_keys=True)), **fitted)


def makers() -> str:
    """Return the hash of all that makes signs of a text: weights fit these modules and lists alone."""
    folder = Path(marking.__file__).parent
    names = ("marking.py", "features.py", "lexicon.py", "tokens.py", "english.toml", "chinese.toml")
    return hashlib.sha256(b"".join((folder / name).read_bytes() for name in names)).hexdigest()
