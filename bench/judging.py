"""Judges labelled pairs by the decision alone, without a database: fast, and the same as through the front door. Pure.

What a database does besides is to find the old statement: it is known where it is of the same timeline or, without a
key, of the same subject.
"""

from collections.abc import Iterable
from typing import Final

from bench.labelled import Pair, Spoken
from bench.scoring import Judged
from graph.naming import entity_key
from graph.ontology import Origin
from graph.timelines.facts import Claim, Settlement
from graph.timelines.keys import kind_of
from graph.timelines.said import KeyKind, Said
from graph.timelines.settling import WorkingSet
from graph.timelines.statements import other_meant, timeline_of

_SAID: Final = 1_772_616_600_000  # 4 March 2026, 9:30
_BEFORE: Final = 2 * 86_400_000
_PLACE: Final = ("pair", "group")


def judge(pairs: Iterable[Pair]) -> list[Judged]:
    """Return what is decided of the new statement of each pair."""
    return [judge_one(pair) for pair in pairs]


def judge_one(pair: Pair) -> Judged:
    """Return what is decided of the new statement of a pair, two days after the old one."""
    known = WorkingSet()
    old, new = _said(pair, pair.old), _said(pair, pair.new)
    known.settle(_claim("old", old, _SAID - _BEFORE, ()))
    near = ("old",) if "old" in known.facts and entity_key(old.subject) == entity_key(new.subject) else ()
    return _judged(known.settle(_claim("new", new, _SAID, near)))


def _said(pair: Pair, spoken: Spoken) -> Said:
    return Said(
        spoken.text,
        pair.key,
        spoken.value,
        Origin.USER_STATED,
        spoken.speaker,
        spoken.subject or spoken.speaker,
        spoken.act,
        spoken.source or "",
        subject_given=spoken.subject is not None,
    )


def _claim(name: str, said: Said, at: int, near: tuple[str, ...]) -> Claim:
    kind = kind_of(said.key, {}, said.origin) if said.key is not None else KeyKind.ONE
    near = near if said.key is None else ()
    return Claim(name, said, at, timeline_of(said, *_PLACE, said.subject), other_meant(said, *_PLACE), near, kind=kind)


def _judged(settlement: Settlement) -> Judged:
    ruling = settlement.ruling
    of_old = ruling.proposed if "old" in ruling.proposes else None
    return Judged(ruling.verdict, ruling.rule, ruling.words, of_old)
