"""Fits the encoder that reads two statements together: low-rank differences of its upper layers, by torch, on one core.

The lower layers stay as the packaged model has them; what they make of each pair is computed once.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from bench.fit_reading import Row
from graph.learned import encoder
from graph.learned.engine import LINEAR, NORMS
from graph.ports import Progress
from graph.wording.features import Relation, relation
from graph.wording.reading import as_told

FIRST: Final = 3
LAYERS: Final = 6
_RANK: Final = 16
_BATCH: Final = 32
_EPOCHS: Final = 2
_STRENGTH: Final = 2.0
_RATE: Final = 1e-3
_RATE_OF_OTHERS: Final = 3e-4
_WARM_UP: Final = 0.06
_SMOOTHING: Final = 0.02
_KEPT: Final = Path(encoder.__file__).parent / encoder.WEIGHTS


def fit(rows: Sequence[Row], progress: Progress) -> dict[str, Any]:
    """Return the fitted arrays as `graph.learned.encoder` reads them; goes on from what is kept, where it is."""
    torch.manual_seed(1)
    torch.set_num_threads(1)
    random = np.random.default_rng(1)
    rows = [row for row in rows if row.old]
    packed = encoder.packed()
    given = [_inputs(row) for row in rows]
    made, lower = [], encoder.lower(FIRST)
    for number, one in enumerate(given, 1):
        made.append(torch.from_numpy(lower.run(one.tokens)).half())
        if number % 500 == 0 or number == len(given):
            progress("lower layers", number, len(given))
    net = _Upper(packed)
    if _KEPT.exists():
        net.take(dict(np.load(_KEPT)))
    senses = [encoder.SENSES.index(row.sense) for row in rows]
    batches = list(_batches([len(one.tokens) for one in given], random))
    optimizer = torch.optim.AdamW(net.groups(), weight_decay=0.01)
    peaks = [group["lr"] for group in optimizer.param_groups]
    total, step = _EPOCHS * len(batches), 0
    net.train()
    for _ in range(_EPOCHS):
        for batch in _batches([len(one.tokens) for one in given], random):
            share = min(1.0, (step + 1) / (_WARM_UP * total)) * (1 - step / total)
            for group, peak in zip(optimizer.param_groups, peaks, strict=True):
                group["lr"] = peak * share
            with torch.autocast("cpu", torch.bfloat16):  # nearly twice as fast, and as good
                told = net([made[at] for at in batch], [given[at] for at in batch]).float()
            loss = functional.cross_entropy(
                told, torch.tensor([senses[at] for at in batch]), label_smoothing=_SMOOTHING
            )
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            step += 1
            progress("fitting", step, total)
    return net.kept()


def save(kept: dict[str, Any], about: dict[str, str]) -> None:
    """Write what was fitted, and on what."""
    with _KEPT.open("wb") as file:
        np.savez_compressed(file, about=np.array(json.dumps(about)), **kept)


def _inputs(row: Row) -> encoder.Inputs:
    stands = relation(row.value, row.old_value) if row.key is not None else Relation.NO_KEY
    subject = row.names[0] if row.names[0] != "ann" else None
    own, known = (as_told(text, row.names, subject) for text in (row.text, row.old))
    return encoder.inputs(encoder.packed(), own, row.value, known, row.old_value, row.key, subject, stands)


def _batches(lengths: Sequence[int], random: np.random.Generator) -> Iterator[list[int]]:
    """Yield all rows in batches of like length, in a random order."""
    order = random.permutation(len(lengths)).tolist()
    found: list[list[int]] = []
    for begin in range(0, len(order), 20 * _BATCH):
        some = sorted(order[begin : begin + 20 * _BATCH], key=lambda at: lengths[at])
        found += [some[at : at + _BATCH] for at in range(0, len(some), _BATCH)]
    yield from (found[at] for at in random.permutation(len(found)))


class _Linear(nn.Module):
    """A matrix of the packaged model, with a low-rank difference."""

    def __init__(self, weight: Any, bias: Any) -> None:
        super().__init__()
        self.weight = torch.tensor(weight)
        self.bias = nn.Parameter(torch.tensor(bias))
        out, into = self.weight.shape
        self.down = nn.Parameter(torch.randn(_RANK, into) / into**0.5)
        self.up = nn.Parameter(torch.zeros(out, _RANK))

    def forward(self, given: Tensor) -> Tensor:
        low = functional.linear(functional.linear(given, self.down) * _STRENGTH, self.up)
        return functional.linear(given, self.weight, self.bias) + low


class _Layer(nn.Module):
    """A layer of the encoder (Devlin et al. 2019)."""

    def __init__(self, packed: Any, number: int) -> None:
        super().__init__()
        width = packed.shape.width
        self.heads = packed.shape.heads
        self.linear = nn.ModuleDict()
        for name in LINEAR:
            weight = packed.matrix(f"l{number}.{name}.w", 4 * width if name == "fo" else width)
            self.linear[name] = _Linear(weight, packed.floats(f"l{number}.{name}.b").copy())
        self.norm = nn.ModuleDict()
        for name in NORMS:
            norm = nn.LayerNorm(width, eps=packed.shape.epsilon)
            norm.weight.data = torch.tensor(packed.floats(f"l{number}.{name}.w").copy())
            norm.bias.data = torch.tensor(packed.floats(f"l{number}.{name}.b").copy())
            self.norm[name] = norm

    def forward(self, state: Tensor, mask: Tensor) -> Tensor:
        rows, count, width = state.shape
        query, key, value = (
            self.linear[name](state).view(rows, count, self.heads, -1).transpose(1, 2) for name in ("q", "k", "v")
        )
        seen = functional.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        state = self.norm["aln"](state + self.linear["ao"](seen.transpose(1, 2).reshape(rows, count, width)))
        told: Tensor = self.norm["oln"](state + self.linear["fo"](functional.gelu(self.linear["fi"](state))))
        return told


class _Upper(nn.Module):
    """The upper layers, the marks of tokens and relations, and the head."""

    def __init__(self, packed: Any) -> None:
        super().__init__()
        width = packed.shape.width
        self.layers = nn.ModuleList([_Layer(packed, number) for number in range(FIRST, LAYERS)])
        self.marks = nn.Parameter(torch.zeros(encoder.MARKS, width))
        self.relations = nn.Parameter(torch.zeros(len(encoder.RELATIONS), width))
        self.head = nn.Linear(2 * width, len(encoder.SENSES))
        nn.init.normal_(self.head.weight, std=0.02)
        nn.init.zeros_(self.head.bias)

    def forward(self, made: Sequence[Tensor], given: Sequence[encoder.Inputs]) -> Tensor:
        lengths = torch.tensor([len(one.tokens) for one in given])
        longest = int(lengths.max())
        state = torch.zeros(len(given), longest, self.marks.shape[1])
        marks = torch.zeros(len(given), longest, dtype=torch.long)
        for at, (one, lower) in enumerate(zip(given, made, strict=True)):
            state[at, : len(lower)] = lower.float()
            marks[at, : len(one.marks)] = torch.tensor(one.marks)
        present = torch.arange(longest)[None] < lengths[:, None]
        state = state + self.marks[marks] + self.relations[[one.relation for one in given]][:, None]
        for layer in self.layers:
            state = layer(state, present[:, None, None, :])
        mean = (state * present[..., None]).sum(1) / lengths[:, None]
        told: Tensor = self.head(functional.dropout(torch.cat([state[:, 0], mean], 1), 0.1, self.training))
        return told

    def groups(self) -> list[dict[str, Any]]:
        """Return the parameters with their rates: differences and head learn faster than biases and norms."""
        fast = [one for name, one in self.named_parameters() if name.endswith(("down", "up")) or "layers" not in name]
        slow = [one for name, one in self.named_parameters() if not any(one is other for other in fast)]
        return [{"params": fast, "lr": _RATE}, {"params": slow, "lr": _RATE_OF_OTHERS}]

    def _named(self) -> Iterator[tuple[str, Tensor]]:
        yield from (("feat", self.marks), ("rel", self.relations))
        yield from (("head.w", self.head.weight), ("head.b", self.head.bias))
        for number, layer in enumerate(self.layers, FIRST):
            for name in LINEAR:
                one = layer.get_submodule(f"linear.{name}")
                for kept, part in (("b", "bias"), ("A", "down"), ("B", "up")):
                    yield f"{number}.{name}.{kept}", one.get_parameter(part)
            for name in NORMS:
                norm = layer.get_submodule(f"norm.{name}")
                for kept, part in (("w", "weight"), ("b", "bias")):
                    yield f"{number}.{name}.{kept}", norm.get_parameter(part)

    def take(self, kept: dict[str, Any]) -> None:
        """Go on from weights that were kept."""
        for name, one in self._named():
            value = torch.tensor(kept[name].astype(np.float32))
            one.data = value / _STRENGTH if name.endswith(".B") else value

    def kept(self) -> dict[str, Any]:
        """Return what is to be kept, in half precision."""
        found: dict[str, Any] = {"first": FIRST, "layers": LAYERS}
        for name, one in self._named():
            value = one.detach() * _STRENGTH if name.endswith(".B") else one.detach()
            found[name] = value.numpy().astype(np.float16)
        return found
