"""Sets of MemFuseBench, made once for all tests of them."""

import pytest

from bench.memfusebench import SCENARIOS
from tests.memfusebench import SEED, Set, made


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Set:
    return made(tmp_path_factory.mktemp("mixed"), SEED, SCENARIOS, "mixed")


@pytest.fixture(scope="session", params=["en", "zh"])
def plain(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Set:
    return made(tmp_path_factory.mktemp(request.param), SEED, 2, request.param)
