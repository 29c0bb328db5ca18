"""A small encoder that reads two statements together: the lower half of the packaged model, its upper layers refitted.

A BERT encoder (Devlin et al. 2019, section 3) whose upper layers carry low-rank differences (Hu et al. 2022, "LoRA",
section 4.1), fitted on labelled pairs.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np

from graph.learned.engine import LINEAR, Engine, built, layer_of
from graph.learned.subwords import Floats, Packed

WEIGHTS: Final = "encoder.npz"
SENSES: Final = ("apart", "asserts", "ends", "refines", "replaces")
RELATIONS: Final = ("no key", "none", "first", "equal", "more", "less", "other")

_LONGEST_TEXT: Final = 72
_LONGEST_VALUE: Final = 24
_PARTS: Final = 6
_OVERLAPS: Final = 8
MARKS: Final = _PARTS * _OVERLAPS + 1 + _PARTS


class Inputs(NamedTuple):
    """Tokens of both statements, what each token is (its part, and where else it stands), and how the values relate."""

    tokens: list[int]
    marks: list[int]
    relation: int


def shares(
    text: str,
    *,
    value: str | None,
    old: str,
    old_value: str | None,
    key: str | None,
    subject: str | None,
    relation: str,
) -> dict[str, float]:
    """Return the probability of each sense of a statement, beside the old one that it may be about."""
    model = _model()
    scores = model.scores(inputs(model.packed, text, value, old, old_value, key, subject, relation))
    odds = np.exp(scores - scores.max())
    return dict(zip(SENSES, (odds / odds.sum()).tolist(), strict=True))


def inputs(
    packed: Packed,
    text: str,
    value: str | None,
    old: str,
    old_value: str | None,
    key: str | None,
    subject: str | None,
    relation: str,
) -> Inputs:
    """Return what the encoder sees: key, subject, old text and value, new text and value, each with its own mark."""
    parts = [
        packed.tokens(key.replace(".", " ").replace("_", " ")) if key else (),
        packed.tokens(subject) if subject else (),
        _cut(packed.tokens(old), _LONGEST_TEXT),
        _cut(packed.tokens(old_value), _LONGEST_VALUE) if key and old_value else (),
        _cut(packed.tokens(text), _LONGEST_TEXT),
        _cut(packed.tokens(value), _LONGEST_VALUE) if key and value else (),
    ]
    names = [{_name(packed, token) for token in part} - {""} for part in parts]
    others = ((4, 2, 5), (4, 2, 5), (4, 3, 5), (4, 3, 5), (2, 5, 3), (2, 5, 3))
    tokens, marks = [packed.shape.begin], [_PARTS * _OVERLAPS]
    for number, part in enumerate(parts):
        if not part:
            continue
        for token in part:
            name = _name(packed, token)
            overlap = sum((name in names[other]) << place for place, other in enumerate(others[number]))
            tokens.append(token)
            marks.append(number * _OVERLAPS + overlap)
        tokens.append(packed.shape.end)
        marks.append(_PARTS * _OVERLAPS + 1 + number)
    return Inputs(tokens, marks, RELATIONS.index(relation))


def _cut(tokens: Sequence[int], most: int) -> Sequence[int]:
    """Return the head and the tail of what is longer."""
    return tokens if len(tokens) <= most else (*tokens[: most // 2], *tokens[most // 2 - most :])


def _name(packed: Packed, token: int) -> str:
    return packed.pieces[token].lstrip("\u2581").lower()


@cache
def packed() -> Packed:
    """Return the packaged model's file."""
    return Packed()


class _Encoder:
    """The layers with their differences, and the head."""

    def __init__(self) -> None:
        self.packed = packed()
        with np.load(str(files(__package__) / WEIGHTS)) as kept:
            fitted = {name: np.asarray(kept[name], np.float32) for name in kept.files if kept[name].ndim}
            first, count = int(kept["first"]), int(kept["layers"])
        layers = [_refitted(layer_of(self.packed, number), number, fitted) for number in range(count)]
        self._engine = Engine(self.packed, built(self.packed, layers, adding_at=first))
        self._marks, self._relations = fitted["feat"], fitted["rel"]
        self._head, self._bias = fitted["head.w"], fitted["head.b"]

    def scores(self, given: Inputs) -> Floats:
        """Return the score of each sense."""
        state = self._engine.run(given.tokens, self._marks[given.marks] + self._relations[given.relation])
        scores: Floats = np.concatenate([state[0], state.mean(0)]) @ self._head.T + self._bias
        return scores


def _refitted(layer: dict[str, Floats], number: int, fitted: dict[str, Floats]) -> dict[str, Floats]:
    """Return a layer with what was fitted of it: low-rank differences of its weights, its biases and norms."""
    for name in LINEAR:
        if (up := fitted.get(f"{number}.{name}.B")) is not None:
            layer[f"{name}.w"] = layer[f"{name}.w"] + (up @ fitted[f"{number}.{name}.A"]).T
    return {name: fitted.get(f"{number}.{name}", weights) for name, weights in layer.items()}


def fitted_on() -> dict[str, str]:
    """Return what the weights were fitted on: the hash of the pairs."""
    with np.load(str(files(__package__) / WEIGHTS)) as kept:
        about: dict[str, str] = json.loads(str(kept["about"]))
        return about


@cache
def lower(count: int) -> Engine:
    """Return the packaged model's first layers, as they are before anything is fitted."""
    return Engine(packed(), built(packed(), [layer_of(packed(), number) for number in range(count)]))


@cache
def _model() -> _Encoder:
    return _Encoder()
