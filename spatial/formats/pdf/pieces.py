"""The pieces that the paths of a PDF page are made of, in the frame of `models.sheet.drawing`.

Glossary: see `paths`.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final, NamedTuple

import numpy as np

from spatial.counting import count_of
from spatial.formats.pdf.clips import Clips
from spatial.geometry.columns import every, greatest, least
from spatial.models.sheet.drawing import Array, Flags, Indices

PIECES_A_PAGE: Final = 1_000_000
"""Pieces that are read per page; the rest is left out with a warning."""
_NUMBERS_A_PAGE: Final = 4 * PIECES_A_PAGE
"""Coordinates of their ends."""
FARTHEST: Final = 1e6
"""Coordinates beyond this many points are damage: a page has at most 14 400."""
WHITE: Final = 0.97
"""Least part of each colour in what is white on paper."""
DARK: Final = 0.5
"""Greatest part of each colour in a ground that white is drawn on."""
GROUND: Final = 0.02
"""Part of the page's shorter side that its painted ground leaves out along an edge at most."""
PAPER: Final = 0.05
"""Part of the page from which a white fill on a dark ground is paper that is drawn on."""
_ROOM: Final = (0.0,) * 4
"""For the ends of a curve, which are two of its corners."""
STROKED: Final = itemgetter("color", "width", "dashes", "layer")
"""What tells how a path is stroked that is not filled."""
_PAINTED: Final = frozenset(("s", "f", "fs"))
"""What MuPDF reports of a page that is no clipping path and no group."""


class MaskPainting(NamedTuple):
    """How a white fill is painted."""

    order: int
    """`seqno` of PyMuPDF."""
    opacity: float
    is_even_odd: bool


@dataclass(slots=True)
class Pieces:
    """All pieces of a page in drawing order."""

    ends: Array
    """(n, 4)"""
    path: Indices
    """(n,) place of its path."""
    curve: Indices
    """(n,) row in `control`; -1 of a line."""
    control: Array
    """(m, 8)"""
    styles: list[dict[str, Any]]
    """How paths are painted, each way once."""
    style: Indices
    """(paths,) place in `styles`."""
    filled: Flags
    """(paths,)"""
    stroked: Flags
    """(paths,)"""
    masks: dict[int, MaskPainting]
    """How the paths are painted that are white and filled, by their places."""
    order: Indices
    """(paths,) in which each is painted (`seqno` of PyMuPDF)."""
    unseen: frozenset[int]
    """Places of the paths whose filling is not seen: FreeCAD fills the boxes of texts that a user may click with an opacity of 0."""


class _Styles:
    """Ways of painting, each once."""

    def __init__(self) -> None:
        self.styles: list[dict[str, Any]] = []
        self.masks: dict[int, MaskPainting] = {}
        self.unseen: set[int] = set()
        self._known: dict[tuple[Any, ...], int] = {}
        self.stroked: dict[tuple[Any, ...], int] = {}
        """The same of those that are only stroked, by what `STROKED` takes of a path."""

    def place(self, path: dict[str, Any], number: int) -> int:
        """Place in `styles` of how the path of a number is painted, which `stroked` does not know."""
        if "fill" in path:
            return self._filled(path, number)
        look = STROKED(path)
        color, width, dashes, layer = look
        style = self.stroked[look] = self._listed(color, None, width, dashes, layer)
        return style

    def _filled(self, path: dict[str, Any], number: int) -> int:
        get = path.get
        fill, opacity = path["fill"], get("fill_opacity", 1.0)
        style = self._listed(get("color"), fill, get("width"), get("dashes"), get("layer"))
        if fill is not None and "mask" in self.styles[style]:
            self.masks[number] = MaskPainting(path["seqno"], opacity, bool(get("even_odd")))
        if opacity == 0.0:
            self.unseen.add(number)
        return style

    def _listed(self, *key: Any) -> int:
        style = self._known.get(key)
        if style is None:
            style = self._known[key] = len(self.styles)
            self.styles.append(_style(*key))
        return style


def gather(page: Any, warnings: list[str], number: int) -> Pieces:
    """All pieces of the paths that MuPDF draws on a page, in its frame; `number` is the page's, from 1.

    Paths are taken one after the other and never held together: to free them costs a quarter of what it costs MuPDF to make them.
    """
    ends: list[float] = []
    curves: list[int] = []
    control: list[float] = []
    reach: list[int] = []
    style: list[int] = []
    order: list[int] = []
    filled: list[int] = []
    only_filled: list[int] = []
    styles = _Styles()
    stroked = styles.stroked
    clips = Clips()
    fill: dict[str, Any] | None = None
    is_full = False

    def take(path: dict[str, Any]) -> None:
        nonlocal ends, control, fill, is_full
        kind = path["type"]
        if (clips.held or kind not in _PAINTED) and not clips.is_shown(path):
            return
        items = path["items"]
        if fill is not None:
            if kind == "s" and fill["items"] == items:
                # What one operator fills and strokes is drawn twice.
                style[-1] = styles.place(path | fill, len(style) - 1)
                only_filled.pop()
                fill = None
                return
            fill = None
        if len(ends) > _NUMBERS_A_PAGE:
            is_full = True
            return
        if kind != "s":
            fill = path
            filled.append(len(style))
            only_filled.append(len(style))
            look = None
        else:
            look = stroked.get(STROKED(path))
        for item in items:
            if item[0] == "l":
                ends += item[1]
                ends += item[2]
            elif item[0] == "c":
                _, one, two, three, four = item
                curves.append(len(ends))
                control += one
                control += two
                control += three
                control += four
                ends += _ROOM
            else:
                ends += _sides(item)
        reach.append(len(ends))
        style.append(styles.place(path, len(style)) if look is None else look)
        order.append(path["seqno"])

    page.get_cdrawings(extended=True, callback=take)
    cut_off = f"page {number}: only the first {PIECES_A_PAGE:,} pieces of geometry were read"
    warnings += [cut_off] if is_full else []
    stop = np.array([0, *reach], dtype=np.int64) // 4
    counts = stop[1:] - stop[:-1]
    pieces, corners = np.array(ends, dtype=float).reshape(-1, 4), np.array(control, dtype=float).reshape(-1, 8)
    curve, bent = np.full(len(pieces), -1, np.int64), np.array(curves, dtype=np.int64) // 4
    curve[bent] = np.arange(len(bent))
    pieces[bent] = corners[:, [0, 1, 6, 7]]
    return Pieces(
        pieces,
        np.repeat(np.arange(len(counts)), counts),
        curve,
        corners,
        styles.styles,
        np.array(style, dtype=np.int64),
        _flags(len(style), filled),
        ~_flags(len(style), only_filled),
        styles.masks,
        np.array(order, dtype=np.int64),
        frozenset(styles.unseen),
    )


def _flags(count: int, places: list[int]) -> Flags:
    """(count,) set in these places."""
    flags = np.zeros(count, bool)
    flags[places] = True
    return flags


def _sides(item: tuple[Any, ...]) -> tuple[float, ...]:
    """x1, y1, x2, y2 of each side of a rectangle or quadrangle, one after the other."""
    if item[0] == "re":
        left, top, right, bottom = item[1]
        return left, top, right, top, right, top, right, bottom, right, bottom, left, bottom, left, bottom, left, top
    if item[0] == "qu":
        one, two, four, three = item[1]
        return *one, *two, *two, *three, *three, *four, *four, *one
    return ()


def _style(
    color: tuple[float, ...] | None,
    fill: tuple[float, ...] | None,
    width: float | None,
    dashes: str | None,
    layer: str | None,
) -> dict[str, Any]:
    """How a path is painted, members as entities have them."""
    shown = fill if color is None else color
    style: dict[str, Any] = {}
    if layer:
        style["layer"] = layer
    if shown is not None:
        style["color"] = _hex(shown)
    if width is not None and np.isfinite(width):
        style["width"] = round(float(width), 3)
    dash = _dash(dashes)
    if dash:
        style["dash"] = dash
    if fill is not None:
        style["fill"] = _hex(fill)
        if min(fill, default=0.0) > WHITE:
            style["mask"] = True
    return style


def show_white_on_dark(pieces: Pieces, page: Any) -> None:
    """Take white fills for what is drawn, and not for masks, on a page that is painted dark all over before the first of them.

    CAD prints the ground of its screen so, with white lettering on it. A large white fill is paper on it. Pieces are in the sheet's frame.
    """
    if pieces.masks and _has_dark_ground(pieces, np.array([page.rect.width, page.rect.height])):
        pieces.masks = {}
        for style in pieces.styles:
            style.pop("mask", None)


def _has_dark_ground(pieces: Pieces, size: Array) -> bool:
    """size: (2,) of the page."""
    dark = np.array([_is_dark(style) for style in pieces.styles], bool)[pieces.style] & pieces.filled
    dark[[*pieces.unseen]] = False
    grounds = np.flatnonzero(dark[: min(pieces.masks)])
    slack = GROUND * float(size.min())
    boxes = _boxes(pieces, grounds)
    is_all_over = every(boxes[:, :2] <= slack) & every(boxes[:, 2:] >= size - slack)
    if not is_all_over.any():
        return False
    white = _boxes(pieces, np.array(sorted(pieces.masks), np.int64))
    sides = white[:, 2:] - white[:, :2]
    return float(sides.prod(axis=1).max(initial=0.0)) <= PAPER * float(size.prod())


def _boxes(pieces: Pieces, paths: Indices) -> Array:
    """(n, 4) around the ends of the pieces of paths, of those that have any."""
    first, last = (np.searchsorted(pieces.path, paths, side=side) for side in ("left", "right"))
    parts = [pieces.ends[begin:end].reshape(-1, 2) for begin, end in zip(first, last, strict=True) if end > begin]
    return np.array([(*part.min(axis=0), *part.max(axis=0)) for part in parts]).reshape(-1, 4)


def _is_dark(style: dict[str, Any]) -> bool:
    return "fill" in style and max(bytes.fromhex(style["fill"][1:])) <= 255 * DARK


def is_blank(style: dict[str, Any]) -> bool:
    """Whether a mask has a white outline too: KOMPAS blanks the ground of a feature control frame so, line by line."""
    return bool(style.get("mask")) and _is_white(style)


def is_white_line(style: dict[str, Any]) -> bool:
    """Whether what is stroked so, and not filled, is seen on something dark alone."""
    return "fill" not in style and "color" in style and _is_white(style)


def _is_white(style: dict[str, Any]) -> bool:
    return min(bytes.fromhex(style["color"][1:])) > 255 * WHITE


def _hex(color: tuple[float, ...]) -> str:
    parts = [round(255 * min(max(part if np.isfinite(part) else 0.0, 0.0), 1.0)) for part in color]
    parts = parts * 3 if len(parts) == 1 else [*parts, 0, 0, 0][:3]
    return "#" + "".join(f"{part:02x}" for part in parts)


def _dash(pattern: str | None) -> list[float]:
    """'[ 43.2 3.6 ] 0' as numbers; nothing where the line is unbroken."""
    inside = (pattern or "").partition("[")[2].partition("]")[0].split()
    try:
        lengths = [round(float(part), 3) for part in inside[:16]]
    except ValueError:
        return []
    return lengths if any(lengths) and np.isfinite(lengths).all() else []


def clean(pieces: Pieces, page: Any, warnings: list[str], number: int) -> int:
    """Move pieces into the sheet's frame; drop damaged ones and paths outside the page, whose number is returned."""
    if not len(pieces.ends):
        return 0
    width, height = page.rect.width, page.rect.height
    a, b, c, d, e, f = page.rotation_matrix
    turn, shift = np.array([[a, -b], [c, -d]]), np.array([e, height - f])
    pieces.ends = (pieces.ends.reshape(-1, 2) @ turn + shift).reshape(-1, 4)
    pieces.control = (pieces.control.reshape(-1, 2) @ turn + shift).reshape(-1, 8)
    # What is no number is not less than anything either.
    sound, curves = every(np.abs(pieces.ends) < FARTHEST), every(np.abs(pieces.control) < FARTHEST)
    if len(pieces.control):
        sound &= (pieces.curve < 0) | curves[pieces.curve]
    bad = int((~sound).sum())
    if bad:
        warnings.append(
            f"page {number}: coordinates are out of range: "
            f"{count_of(bad, 'piece of geometry was', 'pieces of geometry were')} left out"
        )
    low = np.minimum(pieces.ends[:, :2], pieces.ends[:, 2:])
    high = np.maximum(pieces.ends[:, :2], pieces.ends[:, 2:])
    bound = pieces.curve >= 0
    if bound.any():
        corners = pieces.control[pieces.curve[bound]].reshape(-1, 4, 2)
        low[bound] = np.stack([least(corners[:, :, axis]) for axis in (0, 1)], axis=1)
        high[bound] = np.stack([greatest(corners[:, :, axis]) for axis in (0, 1)], axis=1)
    on_page: Flags = every(high >= -1.0) & (low[:, 0] <= width + 1.0) & (low[:, 1] <= height + 1.0) & sound
    seen, drawn = np.zeros((2, len(pieces.style)), bool)
    seen[pieces.path[on_page]] = drawn[pieces.path[sound]] = True
    outside = int((drawn & ~seen).sum())
    kept = sound & seen[pieces.path] & ~_backwards(pieces)
    pieces.ends, pieces.path, pieces.curve = pieces.ends[kept], pieces.path[kept], pieces.curve[kept]
    return outside


def _backwards(pieces: Pieces) -> Flags:
    """Lines that go back over the one before them: KOMPAS draws each stroke there and back, a circle chord by chord."""
    back = np.zeros(len(pieces.ends), bool)
    line = (pieces.curve < 0) & ~pieces.filled[pieces.path]
    back[1:] = every(pieces.ends[1:] == np.roll(pieces.ends[:-1], 2, axis=1))
    back[1:] &= line[1:] & line[:-1] & (np.diff(pieces.path) == 0)
    return back
