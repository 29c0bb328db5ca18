"""Figures of a finished set: what BM25 finds, how alike sources word a scene, how causes are carried. Pure.

The BM25 here is plain: k1 1.5, b 0.75, stop words and a light stemmer for English, pairs of signs for Chinese.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from statistics import fmean
from typing import Final

from bench.memfusebench.model import Event, Label, Question
from bench.memfusebench.words import content, jaccard, tokens

CUT: Final = 20
_K1: Final = 1.5
_B: Final = 0.75
_BRIDGE_SHARE: Final = 0.02
"""A word bridges two events if at most this share of a scenario's events hold it: a name, a number, a place."""
_HOURS: Final = 6


class Bm25:
    """Ranks documents, given as token lists by id, for a query."""

    def __init__(self, documents: Mapping[str, Sequence[str]]) -> None:
        self._counts = {name: Counter(words) for name, words in documents.items()}
        self._lengths = {name: len(words) for name, words in documents.items()}
        self._mean = fmean(self._lengths.values()) or 1.0
        self._holders: dict[str, list[str]] = {}
        for name, counts in self._counts.items():
            for word in counts:
                self._holders.setdefault(word, []).append(name)

    def top(self, words: Iterable[str], count: int, among: frozenset[str]) -> list[str]:
        """Return the best documents of a subset; equal scores by id."""
        scores: defaultdict[str, float] = defaultdict(float)
        size = len(among)
        for word in dict.fromkeys(words):
            holders = [name for name in self._holders.get(word, ()) if name in among]
            weight = math.log(1 + (size - len(holders) + 0.5) / (len(holders) + 0.5))
            for name in holders:
                often = self._counts[name][word]
                norm = _K1 * (1 - _B + _B * self._lengths[name] / self._mean)
                scores[name] += weight * often * (_K1 + 1) / (often + norm)
        return sorted(scores, key=lambda name: (-scores[name], name))[:count]


def bm25_recall(events: Sequence[Event], questions: Sequence[Question]) -> list[float]:
    """Return each question's share of evidence among BM25's first 20 of the events that its viewer may see by then."""
    index = Bm25({event.id: tokens(event.text) for event in events})
    recalls = []
    for question in questions:
        among = frozenset(
            event.id for event in events if event.visible_to(question.viewer) and event.arrives < question.asked_at
        )
        found = set(index.top(tokens(question.text), CUT, among))
        recalls.append(len(found & set(question.evidence)) / len(question.evidence))
    return recalls


def second_hop(events: Sequence[Event], questions: Sequence[Question]) -> list[str]:
    """Say for each question how evidence without any of its content words is reached.

    "word" where another evidence event, which shares a word with the question, shares with it a rare word, an id or a
    tagged entity; "time" where only one conversation, or closeness in time at one person, joins them; "" where there
    is none such.
    """
    by_id = {event.id: event for event in events}
    spread = Counter(word for event in events for word in _marks(event))
    rare = {word for word, count in spread.items() if count <= max(2, _BRIDGE_SHARE * len(events))}
    return [
        _hop([by_id[event_id] for event_id in question.evidence], content(question.text), rare)
        for question in questions
    ]


def _hop(evidence: Sequence[Event], asked: frozenset[str], rare: set[str]) -> str:
    near = [event for event in evidence if asked & _marks(event)]
    far = [event for event in evidence if not asked & _marks(event)]
    if any(_marks(one) & _marks(other) & rare for one in near for other in far):
        return "word"
    if any(_beside(one, other) for one in near for other in far):
        return "time"
    return ""


def _marks(event: Event) -> frozenset[str]:
    return content(" ".join((event.text, *event.entities)))


def _beside(one: Event, other: Event) -> bool:
    """Say whether two events are of one conversation, or of one person within hours."""
    if one.conversation and one.conversation == other.conversation:
        return True
    return one.user == other.user and abs((one.at - other.at).total_seconds()) <= _HOURS * 3600


def source_likeness(events: Sequence[Event], labels: Sequence[Label]) -> list[float]:
    """Return the likeness of content words of every two events of one scene from different sources."""
    scenes: dict[str, list[Event]] = {}
    for event, label in zip(events, labels, strict=True):
        if label.scene and label.part != "value":
            scenes.setdefault(label.scene, []).append(event)
    return [
        jaccard(content(one.text), content(other.text))
        for members in scenes.values()
        for one, other in combinations(members, 2)
        if one.source.id != other.source.id
    ]
