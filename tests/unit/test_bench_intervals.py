"""Bootstrap intervals by whole scenarios."""

from statistics import fmean

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from bench.intervals import interval95

shares = st.floats(0, 1)
scenarios = st.lists(st.lists(shares, min_size=1, max_size=8), min_size=1, max_size=6).map(
    lambda values: {f"s{number}": value for number, value in enumerate(values)}
)


@given(scenarios)
def test_an_interval_lies_between_the_least_and_the_greatest_mean_of_a_scenario(values: dict[str, list[float]]) -> None:
    low, high = interval95(values)
    means = [fmean(scenario) for scenario in values.values()]
    assert min(means) - 1e-4 <= low <= high <= max(means) + 1e-4


@given(scenarios)
def test_the_same_values_give_the_same_interval(values: dict[str, list[float]]) -> None:
    assert interval95(values) == interval95(values)


def test_what_is_the_same_everywhere_has_no_width() -> None:
    assert interval95({"a": [0.25, 0.25], "b": [0.25]}) == (0.25, 0.25)


def test_scenarios_are_drawn_whole() -> None:
    # By question, 300 of each would leave an interval of about 0.46 to 0.54; by scenario there are two of them.
    apart = {"good": [1.0] * 300, "bad": [0.0] * 300}
    assert interval95(apart) == (0.0, 1.0)
    mixed = {"one": [1.0, 0.0] * 150, "other": [0.0, 1.0] * 150}
    assert interval95(mixed) == (0.5, 0.5)


def test_a_scenario_counts_by_its_questions() -> None:
    low, high = interval95({str(number): [1.0] * 9 for number in range(20)} | {"small": [0.0]})
    assert low > 0.97
    assert high == 1.0


def test_a_category_that_some_scenarios_lack_is_drawn_from_the_others() -> None:
    assert interval95({"with": [0.5, 1.0], "without": []}) == (0.75, 0.75)


def test_most_intervals_hold_the_mean_that_the_scenarios_were_drawn_from() -> None:
    """Of few scenarios somewhat fewer than 95 in 100, as percentile intervals do; by question it would be a third."""
    draw = np.random.default_rng(7)
    held = 0
    for _ in range(300):
        centres = draw.normal(0.5, 0.1, 18)
        low, high = interval95({str(n): list(draw.normal(centre, 0.05, 20)) for n, centre in enumerate(centres)})
        held += low <= 0.5 <= high
    assert 0.87 < held / 300 < 0.98
