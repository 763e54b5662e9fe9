"""Properties of any drawing sheet, tried on generated ones whose truth is known."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from tests.accuracy.board import structure
from tests.accuracy.spelling import numbers, spelled
from tests.sheets.generate import Format, Generated, sheet
from tests.sheets.pdf_canvas import pymupdf

SEEDS = (214, 1_389, 3_870, 5_066, 7_741, 9_302)
"""Sheets that all properties are tried on: each is drawn and read once."""

FORMATS = ["pdf", "dxf"]


@cache
def drawn(seed: int, format: Format) -> Generated:
    """The sheet of a seed."""
    return sheet(seed, format=format)


@pytest.mark.requirement("drawing-accuracy.generator")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_seed_gives_the_same_sheet_every_time(format: Format, seed: int) -> None:
    assert sheet(seed, format=format) == drawn(seed, format)


@pytest.mark.requirement("drawing-accuracy.generator")
@pytest.mark.parametrize("seed", SEEDS)
def test_texts_do_not_overlap(seed: int) -> None:
    with pymupdf.open(stream=drawn(seed, "pdf").data) as document:
        for page in document:
            boxes = [_core(char["bbox"]) for char in _characters(page)]
            assert not list(_overlapping(sorted(set(boxes))))


@pytest.mark.requirement("drawing-accuracy.properties")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_fact_has_its_evidence(format: Format, seed: int) -> None:
    said = _read(seed, format)
    known = {each["id"] for member in ("annotations", "dimensions") for each in said.get(member) or []}
    assert {callout["source"] for callout in said["callouts"]} <= known
    assert set(_sources(said.get("drawing_metadata") or {})) <= known
    ids = [callout["id"] for callout in said["callouts"]]
    assert len(ids) == len(set(ids))


@pytest.mark.requirement("drawing-accuracy.properties")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("seed", SEEDS)
def test_no_number_is_read_that_is_not_printed(format: Format, seed: int) -> None:
    said, truth = _read(seed, format), drawn(seed, format).truth
    printed = {number for each in truth["callouts"] for number in numbers(each["text"])}
    printed |= {number for text in _strings(truth) for number in numbers(text)} | set(_annotated(said))
    assert {number for callout in said["callouts"] for number in numbers(callout["text"])} <= printed


@pytest.mark.requirement("drawing-accuracy.properties")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("seed", SEEDS)
def test_positions_are_finite_and_values_are_never_empty(format: Format, seed: int) -> None:
    said = _read(seed, format)
    for callout in said["callouts"]:
        assert all(math.isfinite(number) for number in callout.get("position") or [])
        assert callout["text"].strip()
    block = (said.get("drawing_metadata") or {}).get("title_block") or {}
    assert all(spelled(value) for value in (block.get("fields") or {}).values())
    assert set(block.get("sources") or {}) == set(block.get("fields") or {})


def _read(seed: int, format: Format) -> dict[str, Any]:
    made = drawn(seed, format)
    return structure(made.data, made.file_name)


def _sources(metadata: dict[str, Any]) -> Iterator[str]:
    for ids in (metadata.get("title_block") or {}).get("sources", {}).values():
        yield from ids
    for table in ("bom", "revisions"):
        yield from (metadata.get(table) or {}).get("sources") or []
    for note in (metadata.get("notes") or {}).get("items") or []:
        yield from note.get("sources") or []


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _strings(each)


def _annotated(said: dict[str, Any]) -> Iterator[float]:
    for member in ("annotations", "dimensions"):
        for each in said.get(member) or []:
            yield from numbers(each.get("text"))


def _characters(page: Any) -> Iterator[dict[str, Any]]:
    for block in page.get_text("rawdict", flags=0)["blocks"]:
        for line in block.get("lines", []):
            if abs(line["dir"][0]) > 0.999 or abs(line["dir"][1]) > 0.999:
                for span in line["spans"]:
                    yield from (char for char in span["chars"] if char["c"].strip())


def _core(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    """The middle of a character's box: boxes are taller than letters and touch each other in a word."""
    x, y = (box[2] - box[0]) * 0.3, (box[3] - box[1]) * 0.3
    return round(box[0] + x, 1), round(box[1] + y, 1), round(box[2] - x, 1), round(box[3] - y, 1)


def _overlapping(boxes: list[tuple[float, float, float, float]]) -> Iterator[tuple[Any, Any]]:
    """Pairs of boxes, sorted by their left sides, that share room."""
    for place, box in enumerate(boxes):
        for other in boxes[place + 1 :]:
            if other[0] >= box[2]:
                break
            if other[1] < box[3] and other[3] > box[1]:
                yield box, other
