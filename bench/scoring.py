"""How verdicts on labelled pairs are scored. Pure.

With a key a row is right if its verdict is its label. Without a key a rule retires nothing on a guess, so that these
are right as well: ADD with a proposal that supersedes the old statement, by UPDATE or INVALIDATE as the label says, by
any verdict where it is REFINE; and ADD where the label is NOOP and the two texts are not the same sequence of tokens.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, Final

from bench.labelled import Pair
from graph.timelines.said import Verdict
from graph.wording.tokens import tokens

REPLACING: Final = frozenset({Verdict.UPDATE, Verdict.REFINE, Verdict.INVALIDATE})
"""Verdicts that retire what was known."""

SWALLOWING: Final = frozenset({Verdict.NOOP, Verdict.SKIPPED_EPHEMERAL})
"""Verdicts after which a statement has no atom of its own."""

_Z95: Final = 1.959964


@dataclass(frozen=True, slots=True)
class Judged:
    """What was decided of the new statement of a pair.

    `proposed` is the verdict by which it may supersede the old one, None: nothing of the kind is proposed;
    `proposes_other` tells that it may supersede some other statement.
    """

    verdict: str
    rule: str
    words: str = ""
    proposed: str | None = None
    proposes_other: bool = False


def is_right(pair: Pair, judged: Judged) -> bool:
    """Tell whether a pair was judged as its label says, by the rules above."""
    if judged.verdict == pair.expected:
        return True
    if pair.key is not None or judged.verdict != Verdict.ADD:
        return False
    if pair.expected is Verdict.NOOP:
        return tokens(pair.old.text) != tokens(pair.new.text)
    if pair.expected is Verdict.REFINE:
        return judged.proposed is not None
    return pair.expected in REPLACING and judged.proposed == pair.expected


def is_seen(pair: Pair, judged: Judged) -> bool:
    """Tell whether a replacement that the label holds was seen, as a verdict or, without a key, as a proposal."""
    return judged.verdict in REPLACING or (pair.key is None and judged.proposed is not None)


def replaces_wrongly(pair: Pair, judged: Judged) -> bool:
    """Tell whether something was retired that the label keeps."""
    return pair.expected not in REPLACING and judged.verdict in REPLACING


def swallows(pair: Pair, judged: Judged) -> bool:
    """Tell whether a statement was left without an atom that the label gives one."""
    return pair.expected not in SWALLOWING and judged.verdict in SWALLOWING


def report(pairs: Sequence[Pair], verdicts: Sequence[Judged]) -> dict[str, Any]:
    """Return accuracy, wrong replacements and proposals, what was seen and swallowed, the confusion and each row."""
    both = list(zip(pairs, verdicts, strict=True))
    parts: dict[str, list[bool]] = defaultdict(list)
    confusion: dict[str, Counter[str]] = defaultdict(Counter)
    for pair, judged in both:
        for part in (f"lang {pair.lang}", _with(pair), f"{pair.lang}, {_with(pair)}", str(pair.expected)):
            parts[part].append(is_right(pair, judged))
        confusion[pair.expected][judged.verdict] += 1
    swallowed = [number for number, (pair, judged) in enumerate(both) if swallows(pair, judged)]
    kept = [replaces_wrongly(pair, judged) for pair, judged in both if pair.expected not in REPLACING]
    return {
        "questions": len(both),
        "accuracy": share(is_right(pair, judged) for pair, judged in both),
        "accuracy_by": {part: {"rows": len(found), "accuracy": share(found)} for part, found in sorted(parts.items())},
        "wrong_replacements": counted(kept),
        "wrong_proposals": counted(_wrong_proposals(both)),
        "replacements_seen": {
            part: counted(
                is_seen(pair, judged) for pair, judged in both if _with(pair) == part and pair.expected in REPLACING
            )
            for part in ("with a key", "without a key")
        },
        "swallowed": {"count": len(swallowed), "rows": swallowed},
        "confusion": {expected: dict(sorted(found.items())) for expected, found in sorted(confusion.items())},
        "rows": [
            {
                "expected": pair.expected,
                "verdict": judged.verdict,
                "rule": judged.rule,
                "words": judged.words,
                "proposed": judged.proposed,
            }
            for pair, judged in both
        ],
    }


def _with(pair: Pair) -> str:
    return "with a key" if pair.key is not None else "without a key"


def _wrong_proposals(both: Iterable[tuple[Pair, Judged]]) -> list[bool]:
    """Return, of each row without a key that should propose nothing or names another atom, whether it proposes."""
    return [
        judged.proposed is not None or judged.proposes_other
        for pair, judged in both
        if pair.key is None and (pair.expected not in REPLACING or judged.proposes_other)
    ]


def counted(found: Iterable[bool]) -> dict[str, Any]:
    """Return how many of some rows are so: count, denominator, share and the interval of the share."""
    rows = list(found)
    return {
        "count": sum(rows),
        "denominator": len(rows),
        "share": share(rows),
        "wilson95": wilson95(sum(rows), len(rows)),
    }


def share(right: Iterable[bool]) -> float:
    """Return the share of what is true, 0 of nothing."""
    found = list(right)
    return round(sum(found) / len(found), 4) if found else 0.0


def wilson95(count: int, total: int) -> tuple[float, float]:
    """Return the 95 % score interval of a share (Wilson 1927, "Probable Inference", JASA 22, p. 209)."""
    if total == 0:
        return 0.0, 1.0
    found, squared = count / total, _Z95**2
    middle = found + squared / (2 * total)
    width = _Z95 * sqrt(found * (1 - found) / total + squared / (4 * total**2))
    whole = 1 + squared / total
    return round(max(0.0, (middle - width) / whole), 4), round(min(1.0, (middle + width) / whole), 4)
