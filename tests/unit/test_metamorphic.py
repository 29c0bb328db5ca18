"""What is said again in another way gets the verdict that it had; run with `-s`, each way tells its figures."""

from functools import cache

import pytest

from bench.judging import judge_one
from bench.labelled import Pair, read_pairs
from bench.regression import REGRESSION
from bench.rewording import Way, reword
from bench.scoring import REPLACING, Judged, replaces_wrongly, share, swallows
from graph.timelines.said import Verdict

VERDICT_STAYS = 0.95
PROPOSAL_STAYS = 0.9
"""Without a key nearly all verdicts are ADD; what tells there is whether the same is proposed."""

FEWEST = {Way.USER: 100, Way.THE_USER: 100, Way.NAME: 100, Way.CAPITALS: 150}
"""How many of the 360 pairs can be said again at least, where the way does not suit all; else `NEARLY_ALL`."""

NEARLY_ALL = 300

Twice = tuple[Pair, Judged, Pair, Judged]


@cache
def judged_as_it_is(pair: Pair) -> Judged:
    return judge_one(pair)


@cache
def said_again(way: Way) -> list[Twice]:
    """Return the pairs that can be said again in a way: as they are with their verdict, and again with theirs."""
    both = [(pair, reword(pair, way)) for pair in read_pairs(REGRESSION)]
    return [(pair, judged_as_it_is(pair), again, judge_one(again)) for pair, again in both if again is not None]


def verdict_stays(pair: Pair, before: Judged, after: Judged) -> bool:
    """Tell whether a verdict stays; NOOP without a key needs the same words, so that ADD is as good."""
    noop_to_add = (before.verdict, after.verdict) == (Verdict.NOOP, Verdict.ADD)
    return before.verdict == after.verdict or (pair.key is None and noop_to_add)


@pytest.mark.parametrize("way", Way)
def test_the_verdict_stays(way: Way) -> None:
    rows = said_again(way)
    stays = share(verdict_stays(pair, before, after) for pair, before, _, after in rows)
    by_language = {
        lang: share(verdict_stays(pair, before, after) for pair, before, _, after in rows if pair.lang == lang)
        for lang in ("en", "zh")
    }
    print(f"\n{way}: {len(rows)} pairs, verdict stays {stays}, {by_language}")  # noqa: T201
    changed = [
        f"{before.verdict} -> {after.verdict} ({after.rule}): {again.old.text} | {again.new.text[-120:]}"
        for pair, before, again, after in rows
        if not verdict_stays(pair, before, after)
    ]
    assert len(rows) >= FEWEST.get(way, NEARLY_ALL)
    assert stays >= VERDICT_STAYS, "\n".join(changed)


@pytest.mark.parametrize("way", Way)
def test_a_proposal_stays(way: Way) -> None:
    proposals = [(again, before, after) for _, before, again, after in said_again(way) if before.proposed is not None]
    stays = share(after.proposed is not None or after.verdict in REPLACING for _, _, after in proposals)
    print(f"\n{way}: {len(proposals)} proposals, {stays} stay")  # noqa: T201
    lost = [f"{one.old.text} | {one.new.text[-120:]}" for one, _, after in proposals if after.proposed is None]
    assert stays >= PROPOSAL_STAYS, "\n".join(lost)


@pytest.mark.parametrize("way", Way)
def test_wrong_replacements_do_not_rise(way: Way) -> None:
    rows = said_again(way)
    before = [pair for pair, judged, _, _ in rows if replaces_wrongly(pair, judged)]
    after = [again for _, _, again, judged in rows if replaces_wrongly(again, judged)]
    print(f"\n{way}: wrong replacements {len(before)} -> {len(after)} of {len(rows)}")  # noqa: T201
    assert len(after) <= len(before), "\n".join(f"{one.old.text} | {one.new.text[-120:]}" for one in after)


@pytest.mark.parametrize("way", Way)
def test_nothing_is_swallowed_that_was_not(way: Way) -> None:
    swallowed = [
        f"{again.old.text} | {again.new.text[-120:]}"
        for pair, before, again, after in said_again(way)
        if swallows(again, after) and not swallows(pair, before)
    ]
    assert swallowed == []
