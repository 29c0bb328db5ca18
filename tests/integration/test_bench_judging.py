"""The judge without a database gives what the front door gives."""

import pytest

import graph
from bench import arbitration
from bench.judging import judge_one
from bench.labelled import read_pairs
from bench.regression import REGRESSION


@pytest.mark.timeout(900)  # eighty calls, each with its embedding
async def test_both_judges_agree(memory: graph.Memory, scope: graph.Scope) -> None:
    pairs = read_pairs(REGRESSION)[::9]
    assert len(pairs) == 40
    judged = [await arbitration.judge(memory, f"{scope.group}-{at}", pair) for at, pair in enumerate(pairs)]
    assert judged == [judge_one(pair) for pair in pairs]
