"""Files that sieges found, and some that are changed at random, read by the converter's children: no error is unexpected."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from siege.fuzz import MUTATORS, Reader
from siege.seeds import seeds

FOUND = {
    path.name: path.read_bytes()
    for path in sorted((Path(__file__).parents[1] / "data" / "hostile").iterdir())
    if path.suffix != ".md"
}
CHANGED = 4
"""Files of each format that are changed."""

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def reader() -> AsyncIterator[Reader]:
    """The converter's children."""
    async with Reader.opened() as opened:
        yield opened


@pytest.mark.requirement("siege.found")
@pytest.mark.parametrize("name", FOUND)
async def test_a_file_that_was_found_is_read(reader: Reader, name: str) -> None:
    assert await reader.place(name, FOUND[name]) is None, reader.report
    assert not reader.was_refused, "what is damaged in it is left out"


@pytest.mark.requirement("siege.found")
@pytest.mark.parametrize("name", MUTATORS)
async def test_a_changed_file_is_no_surprise(reader: Reader, name: str) -> None:
    chance = random.Random(name)
    own = [path for path in seeds(name) if "shared" not in path.parts]
    for number in range(CHANGED):
        path = own[chance.randrange(len(own))]
        changed = MUTATORS[name](path.read_bytes(), chance)
        assert changed, number
        assert await reader.place(path.name, changed) is None, reader.report
