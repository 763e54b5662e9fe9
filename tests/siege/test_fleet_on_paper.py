"""The page about scale has the tables that the load model gives, and the model its own arithmetic."""

from __future__ import annotations

import pytest

from benchmarks import fleet


@pytest.mark.requirement("scale.page")
def test_the_page_is_what_the_model_says() -> None:
    assert fleet.PAGE.read_text() == fleet.page(), "run python -m benchmarks.fleet --write"


@pytest.mark.requirement("scale.page")
def test_ten_times_the_files_need_ten_times_the_cores_and_no_part_is_busier_than_allowed() -> None:
    ways, machine = fleet.load()
    for way in ways:
        for rate in fleet.RATES:
            found = fleet.fleet(way, machine, rate)
            for part, count in found.processes.items():
                assert rate * way.cpu_ms[part] / 1000 <= count * fleet.USE + 1e-9
            assert fleet.fleet(way, machine, 10 * rate).postgres_cores == pytest.approx(10 * found.postgres_cores)
        first, most = min(fleet.limits(way, machine).items(), key=lambda one: one[1])
        part = first.removeprefix("one ")
        assert part == first or most * way.cpu_ms[part] / 1000 == pytest.approx(fleet.USE)
