"""A small encoder that reads two statements together: the lower half of the packaged model, its upper layers refitted.

A BERT encoder (Devlin et al. 2019, section 3) whose upper layers carry low-rank differences (Hu et al. 2022, "LoRA",
section 4.1), fitted on labelled pairs; it runs on numpy alone, in some 30 ms a pair on one core.
"""

import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from graph.learned.subwords import Floats, Packed

WEIGHTS: Final = "encoder.npz"
SENSES: Final = ("apart", "asserts", "ends", "refines", "replaces")
RELATIONS: Final = ("no key", "none", "first", "equal", "more", "less", "other")

_LONGEST_TEXT: Final = 72
_LONGEST_VALUE: Final = 24
_PARTS: Final = 6
_OVERLAPS: Final = 8
MARKS: Final = _PARTS * _OVERLAPS + 1 + _PARTS
_LINEAR: Final = ("q", "k", "v", "ao", "fi", "fo")
_NORMS: Final = ("aln", "oln")
_Layer = dict[str, Floats]


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
    """The layers, unpacked once."""

    def __init__(self) -> None:
        self.packed = packed()
        with np.load(str(files(__package__) / WEIGHTS)) as kept:
            fitted: _Layer = {name: np.asarray(kept[name], np.float32) for name in kept.files if kept[name].ndim}
            self._first, count = int(kept["first"]), int(kept["layers"])
        self._layers = [self._layer(number, fitted) for number in range(count)]
        self._marks, self._relations = fitted["feat"], fitted["rel"]
        self._head, self._bias = fitted["head.w"], fitted["head.b"]

    def _layer(self, number: int, fitted: _Layer) -> _Layer:
        model, width = self.packed, self.packed.shape.width
        layer: _Layer = {}
        for name in _LINEAR:
            weights = model.matrix(f"l{number}.{name}.w", 4 * width if name == "fo" else width)
            if number >= self._first:
                weights = weights + fitted[f"{number}.{name}.B"] @ fitted[f"{number}.{name}.A"]
            layer[f"{name}.w"] = np.ascontiguousarray(weights.T)
            layer[f"{name}.b"] = fitted.get(f"{number}.{name}.b", model.floats(f"l{number}.{name}.b"))
        for name in _NORMS:
            for part in ("w", "b"):
                kept = model.floats(f"l{number}.{name}.{part}")
                layer[f"{name}.{part}"] = fitted.get(f"{number}.{name}.{part}", kept)
        return layer

    def scores(self, given: Inputs) -> Floats:
        """Return the score of each sense."""
        state = self.lower(given, self._first) + self._marks[given.marks] + self._relations[given.relation]
        for layer in self._layers[self._first :]:
            state = self._through(state, layer)
        scores: Floats = np.concatenate([state[0], state.mean(0)]) @ self._head.T + self._bias
        return scores

    def lower(self, given: Inputs, count: int) -> Floats:
        """Return what the packaged model's first layers make of the tokens, a row each."""
        model = self.packed
        state = model.embedded(np.array(given.tokens)) + model.floats("emb.type")[: model.shape.width]
        state = state + model.floats("emb.pos").reshape(-1, model.shape.width)[: len(given.tokens)]
        state = _normed(state, model.floats("emb.ln.w"), model.floats("emb.ln.b"), model.shape.epsilon)
        for layer in self._layers[:count]:
            state = self._through(state, layer)
        return state

    def _through(self, state: Floats, layer: _Layer) -> Floats:
        shape = self.packed.shape
        count, width = state.shape

        def linear(given: Floats, name: str) -> Floats:
            out: Floats = given @ layer[f"{name}.w"] + layer[f"{name}.b"]
            return out

        query, key, value = (
            linear(state, name).reshape(count, shape.heads, -1).transpose(1, 0, 2) for name in ("q", "k", "v")
        )
        attention = query @ key.transpose(0, 2, 1) / np.float32((width // shape.heads) ** 0.5)
        attention = np.exp(attention - attention.max(-1, keepdims=True))
        attention /= attention.sum(-1, keepdims=True)
        seen = (attention @ value).transpose(1, 0, 2).reshape(count, width)
        state = _normed(state + linear(seen, "ao"), layer["aln.w"], layer["aln.b"], shape.epsilon)
        inner = linear(_gelu(linear(state, "fi")), "fo")
        return _normed(state + inner, layer["oln.w"], layer["oln.b"], shape.epsilon)


def fitted_on() -> dict[str, str]:
    """Return what the weights were fitted on: the hash of the pairs."""
    with np.load(str(files(__package__) / WEIGHTS)) as kept:
        about: dict[str, str] = json.loads(str(kept["about"]))
        return about


def lower(given: Inputs, count: int) -> Floats:
    """Return what the packaged model's first layers make of a pair: those that are not fitted."""
    return _model().lower(given, count)


@cache
def _model() -> _Encoder:
    return _Encoder()


def _normed(state: Floats, weight: Floats, bias: Floats, epsilon: float) -> Floats:
    centred = state - state.mean(-1, keepdims=True)
    normed: Floats = centred / np.sqrt((centred * centred).mean(-1, keepdims=True) + epsilon) * weight + bias
    return normed


def _gelu(given: Floats) -> Floats:
    """Return the Gaussian error linear unit; erf by Abramowitz and Stegun 1964, formula 7.1.26."""
    size = np.abs(given) * np.float32(0.70710678)
    step = 1 / (1 + np.float32(0.3275911) * size)
    series = ((((1.061405429 * step - 1.453152027) * step) + 1.421413741) * step - 0.284496736) * step + 0.254829592
    erf = 1 - series * step * np.exp(-size * size)
    unit: NDArray[np.float32] = (0.5 * given * (1 + np.sign(given) * erf)).astype(np.float32)
    return unit
