"""Lettering that is drawn as outlines or strokes, as texts.

What is not sure is not reported: a line is left out, with its place, where its glyphs are not letters beyond doubt or where there is
too little of it to tell letters from geometry.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from spatial.models.sheet.drawing import Box, Flags, Indices, Text
from spatial.understanding.sheet.outlined.designators import settle_designators
from spatial.understanding.sheet.outlined.flagged_numbers import with_flagged_numbers
from spatial.understanding.sheet.outlined.following import Written, joined_texts
from spatial.understanding.sheet.outlined.in_cells import Ideographic, alone_in_cells
from spatial.understanding.sheet.outlined.ink import Ink
from spatial.understanding.sheet.outlined.labelled_cells import with_labelled_values
from spatial.understanding.sheet.outlined.line_texts import texts_of
from spatial.understanding.sheet.outlined.lines import (
    Line,
    certain_lines,
    good_lines,
    has_style,
    read_lines_of,
    without_signs,
    zeros_of_deviations,
)
from spatial.understanding.sheet.outlined.oblique import read_oblique
from spatial.understanding.sheet.outlined.recognise import ReadRow
from spatial.understanding.sheet.outlined.rows import turned_boxes
from spatial.understanding.sheet.outlined.same_drawing import settle_by_words, settle_same_drawing
from spatial.understanding.sheet.outlined.same_shape import SameShapes, settle_same_shapes
from spatial.understanding.sheet.outlined.wide_points import join_wide_points

CROSSES: Final = ("x", "X", "×")
CROSSING: Final = 0.9
"""Part of the width and of the height of an x that each of its two strokes runs along."""
SHORT: Final = 2
"""Letters of a level line that may be of one at an angle: two of its letters stand about level where it leans little, or each by itself."""


@dataclass(slots=True)
class FoundLettering:
    """The drawn lettering of one sheet."""

    texts: list[Text] = field(default_factory=list)
    unread: list[Box] = field(default_factory=list)
    """Around what looks like lettering and could not be read."""
    fills: Flags | None = None
    """Which fills of the sheet are of texts that were read."""
    strokes: Flags | None = None
    arcs: Flags | None = None
    without_lines: str = ""
    """Why the reader of lines was not asked; empty where it was, or had not to be."""


def read_ink(ink: Ink, reads: list[ReadRow], page: int, beside: Sequence[Ideographic] = ()) -> FoundLettering:
    """The texts that the components of a sheet are.

    reads: their rows as their glyphs alone are read; beside: the sheet's ideographs, which are of other components.
    """
    if not len(ink.boxes):
        return FoundLettering()
    lines, without_lines = read_lines_of(ink, reads)
    shapes = SameShapes.of(lines)
    settle_same_shapes(lines, shapes)
    settle_by_words(lines)
    settle_same_drawing(lines)
    settle_designators(lines, shapes)
    certain = certain_lines(lines)
    good = good_lines(lines, certain)
    good = with_flagged_numbers(ink, lines, good, certain)
    good += alone_in_cells(ink, lines, good, certain, beside)
    good = with_labelled_values(ink, good)
    join_wide_points(good)
    oblique, pieces = read_oblique(ink, _unsettled(ink, good), certain, page)
    good = [line for line in good if set(line.pieces).isdisjoint(pieces)]
    taken = np.zeros(len(ink.boxes) + 1, bool)
    taken[[*pieces, *(place for line in good for place in line.pieces)]] = True
    others = np.flatnonzero(~taken[:-1])
    zeros = zeros_of_deviations(good)
    single = [line for line in good if len(line.read.boxes) == 1 and id(line) not in zeros]
    found = FoundLettering(without_lines=without_lines)
    unsigned = {id(line) for line in without_signs(good)}
    written: list[Written] = []
    for line in good:
        alone = [place for each in single if each is not line for place in each.pieces]
        made = texts_of(ink, line, page, others, np.array(alone, np.int64), is_cut=id(line) in unsigned)
        written += [Written(text, line) for text in made]
    found.texts = joined_texts(ink, written, _crosses(ink, lines, taken)) + oblique
    chosen = {id(line) for line in good}
    left = [line for line in lines if id(line) not in chosen]
    found.unread = [sheet_box(line) for line in left if _looks_lettered(line, certain) and not taken[line.pieces].all()]
    found.fills, found.strokes, found.arcs = taken[ink.fills], taken[ink.strokes], taken[ink.arcs]
    return found


def _unsettled(ink: Ink, good: list[Line]) -> Indices:
    """The components of no line, and of those so short that they may be two letters of a line at an angle."""
    settled = np.zeros(len(ink.boxes), bool)
    settled[[place for line in good if len(line.spelled) > SHORT for place in line.pieces]] = True
    return np.flatnonzero(~settled)


def _crosses(ink: Ink, lines: list[Line], taken: Flags) -> set[int]:
    """The components of no text that are an x by themselves: one alone is told by the numbers on both sides of it."""
    alone = [line for line in lines if len(line.pieces) == 1 and not taken[line.pieces[0]]]
    return {line.pieces[0] for line in alone if line.signs()[0] in CROSSES or _is_cross(ink, line.pieces[0])}


def _is_cross(ink: Ink, piece: int) -> bool:
    """Whether a component is two strokes along the diagonals of its box."""
    edges = ink.edges[ink.of == piece]
    if ink.width[piece] < 0 or len(edges) != 2:
        return False
    spans = edges[:, 2:] - edges[:, :2]
    whole = np.ptp(edges.reshape(-1, 2), axis=0)
    is_opposite = bool(np.prod(np.sign(spans)) < 0)
    return is_opposite and bool((np.abs(spans) >= CROSSING * whole).all() and whole.min() > 0)


def _looks_lettered(line: Line, certain: list[Line]) -> bool:
    """Whether a person would take it for lettering: some of it reads, or it has the height of lettering."""
    if len(line.spelled) < 2:
        return False
    return line.distinct >= 2 or (line.distinct >= 1 and has_style(line, certain))


def sheet_box(line: Line) -> Box:
    """The box of a line on its sheet."""
    boxes = turned_boxes(line.read.boxes, -line.read.quarter)
    (left, bottom), (right, top) = boxes[:, :2].min(axis=0).tolist(), boxes[:, 2:].max(axis=0).tolist()
    return left, bottom, right, top
