"""Bootstrap intervals of a mean, drawn by whole scenarios: the questions of one scenario are not independent. Pure."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

_DRAWS: Final = 2_000
_SEED: Final = 1


def interval95(values: Mapping[str, Sequence[float]]) -> tuple[float, float]:
    """Return the 95 % percentile interval of the mean of all values, resampling scenarios with replacement.

    Efron and Tibshirani 1993, "An Introduction to the Bootstrap", section 13.3; clusters are the resampled units.
    """
    sums = np.array([np.sum(scenario) for scenario in values.values()])
    counts = np.array([len(scenario) for scenario in values.values()])
    drawn = np.random.default_rng(_SEED).integers(len(sums), size=(_DRAWS, len(sums)))
    totals = counts[drawn].sum(axis=1)
    means = sums[drawn].sum(axis=1)[totals > 0] / totals[totals > 0]
    low, high = np.percentile(means, [2.5, 97.5])
    return round(float(low), 4), round(float(high), 4)
