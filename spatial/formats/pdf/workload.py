"""How much content MuPDF interprets to draw a page: its own, and that of its parts as often as they are drawn.

A few bytes stand for any amount: forms that draw forms, tiles within tiles, masks that are seen through masks. Nothing is interpreted
here: names of parts are counted, and each part is looked through once per file. The count is a bound for what programs write, and is
exact only where the bound is far over the size of the content.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

from pymupdf import mupdf

from spatial.formats.pdf.content_parts import (
    OPERATORS,
    Operation,
    Seen,
    UnclearContentError,
    chunks,
    decoded,
    general,
    operations,
    paints,
)

SET_UP: Final = 120
"""Bytes of content that take as long to interpret as a part takes beside its content: 2 µs."""
ROUGH: Final = 8_000_000
"""Bytes by which a bound may be too high."""
DEEPEST: Final = 60
"""Parts within parts beyond which a page is refused: MuPDF draws 61 forms in each other, and no page of more. Programs nest a few."""
VISITS: Final = 20_000
"""Parts of a page that are looked through, those that draw themselves each time again."""
FORMS: Final = 64
"""Parts of one kind among which the heaviest is sought where it is not clear which one is drawn."""
NAMED: Final = 2_000
"""Parts of one kind that are looked up by names that are no text."""
GLYPHS: Final = 256
"""Characters of a Type 3 font."""

_RESOURCES: Final = ("XObject", "Pattern", "Shading", "ExtGState", "Font")
_FILLS: Final = frozenset((b"f", b"F", b"f*", b"Tj", b"TJ", b"'", b'"'))
_STROKES: Final = frozenset((b"S", b"s"))
_BOTH: Final = frozenset((b"B", b"B*", b"b", b"b*"))
_SHOWS: Final = frozenset((b"Tj", b"TJ", b"'", b'"'))
_FILL_COLORS: Final = frozenset((b"g", b"rg", b"k", b"cs", b"sc", b"scn"))
_STROKE_COLORS: Final = frozenset((b"G", b"RG", b"K", b"CS", b"SC", b"SCN"))


class Work(NamedTuple):
    """What one content comes to."""

    size: int
    """Bytes that are interpreted."""
    paints: int = 0
    """Operators that paint, those of its parts with them; an upper bound."""


class PageWork(NamedTuple):
    """What a page comes to; one byte more than was asked for where it is more."""

    own: int
    """Bytes of its own content."""
    whole: int
    """With its parts and annotations."""
    unclear: str = ""
    """Why it is more, where that is not for its size: the end of a sentence about its forms and patterns."""


NOTHING: Final = Work(0)

_Key = tuple[int, int, bool]
"""Of a part: its number, that of the holder whose resources it inherits, and whether its paints are counted."""


class _Known(NamedTuple):
    """What is known of a part."""

    work: Work
    height: int
    """How many parts are drawn in each other, with this one."""


class Workload:
    """Of the pages of one file."""

    def __init__(self) -> None:
        self._known: dict[_Key, _Known] = {}

    def of(self, page: Any, most: int) -> PageWork:
        """Of one page of PyMuPDF, as far as `most` bytes."""
        found = mupdf.pdf_page_from_fz_page(page.this)
        walk = _Walk(self._known, most)
        stream = mupdf.pdf_open_contents_stream(found.doc(), mupdf.pdf_dict_gets(found.obj(), "Contents"))
        own, work = walk.content(stream, mupdf.pdf_page_resources(found), 0)
        for appearance in _appearances(found.obj()):
            work = _sum(work, walk.part(appearance, NO_RESOURCES, 0))
        whole = most + 1 if walk.unclear else min(work.size, most + 1)
        return PageWork(min(own, most + 1), whole, walk.unclear)


NO_RESOURCES: Final = mupdf.PdfObj()


class _Walk:
    """Through the parts of one page."""

    def __init__(self, known: dict[_Key, _Known], most: int) -> None:
        self._known = known
        self.most = most
        self.counts_paints = False
        """Whether what is drawn may be painted with a pattern or through a mask of its holder."""
        self._active: list[int] = []
        self._heights = [0]
        """Parts drawn in each other, below the page and below each part that is active."""
        self._visits = 0
        self._cyclic: set[int] = set()
        """Parts that are drawn within themselves."""

    @property
    def unclear(self) -> str:
        """As `PageWork.unclear`."""
        if self._heights[0] > DEEPEST:
            return f"draw each other more than {DEEPEST} deep, and no page is drawn that does"
        return f"draw each other in more than {VISITS:,} ways" if self._visits > VISITS else ""

    def part(self, obj: Any, resources: Any, holder: int) -> Work:
        """Of a stream that is drawn once. resources: those of its holder, whose number is given, for a part that has none of its own."""
        number = int(mupdf.pdf_to_num(obj))
        if not number or not mupdf.pdf_is_stream(obj):
            return NOTHING
        own = mupdf.pdf_dict_gets(obj, "Resources")
        inherits = not mupdf.pdf_is_dict(own)
        key = (number, holder if inherits else 0, self.counts_paints)
        if (known := self._known.get(key)) is not None:
            self._rise(known.height)
            return known.work
        if number in self._active:
            self._cyclic.update(self._active[self._active.index(number) :])
            return Work(SET_UP, 1)
        self._visits += 1
        if len(self._active) >= DEEPEST or self._visits > VISITS:
            self._rise(1)
            return Work(self.most + 1)
        self._active.append(number)
        self._heights.append(0)
        try:
            _, found = self.content(mupdf.pdf_open_stream(obj), resources if inherits else own, number)
        except mupdf.FzErrorBase:
            found = NOTHING
        finally:
            self._active.pop()
            height = self._heights.pop() + 1
            self._rise(height)
        found = Work(found.size + SET_UP, found.paints + 1)
        if number not in self._cyclic:
            self._known[key] = _Known(found, height)
        return found

    def _rise(self, height: int) -> None:
        """Note the height of a part in what draws it."""
        self._heights[-1] = max(self._heights[-1], height)

    def content(self, stream: Any, resources: Any, number: int) -> tuple[int, Work]:
        """Bytes of a content, and what it comes to. number: of the part that it is of, 0 for that of a page."""
        parts = _Parts(self, resources, number)
        if parts.is_empty and not self.counts_paints:
            size = int(mupdf.fz_skip(stream, self.most + 1))
            return size, Work(size)
        seen = Seen(parts.operators)
        for chunk in chunks(stream, self.most):
            seen.add(chunk)
        bound, is_exact = parts.bound(seen)
        if bound.size > seen.size + ROUGH and not is_exact and seen.kept is not None:
            exact = parts.exact(b"".join(seen.kept), seen)
            if exact is not None:
                return seen.size, Work(min(bound.size, seen.size + exact.size), min(bound.paints, exact.paints))
        return seen.size, bound


class _Parts:
    """What the resources of one content name."""

    def __init__(self, walk: _Walk, resources: Any, number: int) -> None:
        self._walk, self._resources, self._number = walk, resources, number
        kinds = {kind: mupdf.pdf_dict_gets(resources, kind) for kind in _RESOURCES}
        self._kinds = {kind: found for kind, found in kinds.items() if mupdf.pdf_dict_len(found)}
        self._found: dict[tuple[bytes, str], Work] = {}
        self._listed: dict[str, dict[str, Any]] = {}
        """By kind and name: objects, where a name is no text."""

    @property
    def is_empty(self) -> bool:
        return not self._kinds

    @property
    def operators(self) -> set[bytes]:
        """Those that take parts of which there are some."""
        return {operator for operator in OPERATORS if _KINDS[operator][0] in self._kinds}

    def bound(self, seen: Seen) -> tuple[Work, bool]:
        """The most that a content may come to, and whether it is just that."""
        per_paint = sum(self._heaviest(seen, operator) for operator in (b"gs", b"scn", b"SCN"))
        counted = self._walk.counts_paints
        self._walk.counts_paints |= per_paint > 0
        try:
            drawn = self._drawn(seen)
            painted = drawn.paints + seen.paints() if self._walk.counts_paints else 0
        finally:
            self._walk.counts_paints = counted
        glyph = max(self._heaviest(seen, b"Tf"), self._heaviest(seen, b"gs", _FONT_OF_STATE))
        bound = drawn.size + painted * per_paint + seen.size * glyph
        return Work(seen.size + bound, painted), bound == drawn.size and not seen.unclear.total()

    def _heaviest(self, seen: Seen, operator: bytes, sets: bytes = b"") -> int:
        """Bytes of what an operator takes by any of its names. sets: another name of the operator, for what else it sets."""
        named = (self.of(sets or operator, name).size for taker, name in seen.uses if taker == operator)
        unclear = self._heaviest_part(sets or operator).size if seen.unclear[operator] else 0
        return max(named, default=0) if not unclear else max(unclear, *named)

    def _drawn(self, seen: Seen) -> Work:
        """What operators that draw come to beside the content."""
        size = painted = 0
        for operator in (b"Do", b"sh"):
            if count := seen.unclear[operator]:
                heaviest = self._heaviest_part(operator)
                size, painted = size + count * heaviest.size, painted + count * heaviest.paints
        for (operator, name), count in seen.uses.items():
            if operator in (b"Do", b"sh"):
                work = self.of(operator, name)
                size, painted = size + count * work.size, painted + count * work.paints
        return Work(size, painted)

    def of(self, operator: bytes, name: str) -> Work:
        """Of what an operator takes by its name; nothing where it has no content of its own."""
        kind, look = _KINDS[operator]
        if kind not in self._kinds:
            return NOTHING
        key = (operator, name)
        if key not in self._found:
            entry = self._entry(kind, name)
            self._found[key] = Work(self._walk.most + 1) if entry is None else look(self, entry)
        return self._found[key]

    def _entry(self, kind: str, name: str) -> Any:
        """What resources name so; None where that is not looked up."""
        entries = self._kinds[kind]
        if name.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in name):
            return mupdf.pdf_dict_gets(entries, name)
        if (count := mupdf.pdf_dict_len(entries)) > NAMED:
            return None
        if kind not in self._listed:
            names = (mupdf.pdf_to_name(mupdf.pdf_dict_get_key(entries, place)) for place in range(count))
            self._listed[kind] = {each: mupdf.pdf_dict_get_val(entries, place) for place, each in enumerate(names)}
        return self._listed[kind].get(name, NO_RESOURCES)

    def exact(self, content: bytes, seen: Seen) -> Work | None:
        """What the parts of a content come to beside it, operator by operator, until they are more than is asked for.

        None where some of the operators that were seen may be done though they are skipped here.
        """
        try:
            work, done, has_images = self._counted(operations(content))
        except UnclearContentError:
            return None
        is_whole = not has_images or done >= seen.words or work.size > self._walk.most
        return work if is_whole else None

    def _counted(self, operations: Iterable[Operation]) -> tuple[Work, int, bool]:
        """What operations come to, how many of them take parts, and whether any is an inline image."""
        state, saved, total, painted = _State(), list[_State](), 0, 0
        takers, done, has_images = self.operators, 0, False
        for operation in operations:
            operator = general(operation.operator)
            done += operator in takers and bool(operation.names or operator not in _SETS)
            if operator == b"q":
                saved.append(state)
            elif operator == b"Q":
                state = saved.pop() if saved else state
            elif operator in _SETS:
                state = self._set(state, operator, operation.names)
            else:
                work = self._done(state, operator, operation)
                has_images |= bool(operation.image)
                total, painted = total + work.size, painted + work.paints
                if total > self._walk.most:
                    break
        return Work(total, painted), done, has_images

    def _set(self, state: _State, operator: bytes, names: list[bytes]) -> _State:
        if operator == b"gs":
            return self._with(state, names)
        if operator == b"Tf":
            return state._replace(glyph=self._taken(operator, names).size)
        pattern = self._taken(operator, names).size if names and operator in (b"scn", b"SCN") else 0
        return state._replace(fill=pattern) if operator in _FILL_COLORS else state._replace(stroke=pattern)

    def _with(self, state: _State, names: list[bytes]) -> _State:
        """A graphics state with what one of these states sets: its mask, or that there is none, and its font."""
        if any(self._names(name, "SMask") for name in names):
            state = state._replace(mask=self._taken(b"gs", names).size)
        if any(self._names(name, "Font") for name in names):
            state = state._replace(glyph=self._taken(_FONT_OF_STATE, names).size)
        return state

    def _taken(self, operator: bytes, names: list[bytes]) -> Work:
        """The most that an operator comes to that takes one of the names before it, or none."""
        return max((self.of(operator, decoded(name)) for name in names or [b""]), default=NOTHING)

    def _done(self, state: _State, operator: bytes, operation: Operation) -> Work:
        """What one operator that paints comes to."""
        if operator in (b"Do", b"sh"):
            work = self._taken(operator, operation.names)
            inherited = state.mask + state.fill + state.stroke
            return Work(work.size + max(work.paints, 1) * inherited, max(work.paints, 1))
        if operator in _BOTH:
            return Work(state.mask + state.fill + state.stroke, 1)
        if operator in _STROKES:
            return Work(state.mask + state.stroke, 1)
        if operator in _FILLS:
            return Work(state.mask + state.fill + (operation.strings * state.glyph if operator in _SHOWS else 0), 1)
        if operation.image:
            return _hidden(state, operation.image)
        return NOTHING

    def _names(self, name: bytes, key: str) -> bool:
        """Whether a state says anything of a key."""
        state = self._entry("ExtGState", decoded(name)) if "ExtGState" in self._kinds else NO_RESOURCES
        return state is None or bool(mupdf.pdf_dict_gets(state, key).m_internal)

    def _heaviest_part(self, operator: bytes) -> Work:
        """Of all that an operator may take."""
        kind, look = _KINDS[operator]
        entries = self._kinds.get(kind)
        count = mupdf.pdf_dict_len(entries) if entries is not None else 0
        if count > FORMS:
            return Work(self._walk.most + 1)
        return max((look(self, mupdf.pdf_dict_get_val(entries, place)) for place in range(count)), default=NOTHING)

    def _form(self, obj: Any) -> Work:
        is_form = mupdf.pdf_to_name(mupdf.pdf_dict_gets(obj, "Subtype")) == "Form"
        return self._walk.part(obj, self._resources, self._number) if is_form else NOTHING

    def _mask(self, state: Any) -> Work:
        mask = mupdf.pdf_dict_gets(state, "SMask")
        group = mupdf.pdf_dict_gets(mask, "G") if mupdf.pdf_is_dict(mask) else mask
        return self._walk.part(group, self._resources, self._number)

    def _pattern(self, pattern: Any) -> Work:
        if mupdf.pdf_to_int(mupdf.pdf_dict_gets(pattern, "PatternType")) == 2:
            return self._shading(mupdf.pdf_dict_gets(pattern, "Shading"))
        return self._walk.part(pattern, self._resources, self._number)

    def _shading(self, shading: Any) -> Work:
        """Of a mesh its packed corners, which are content of another kind."""
        if not mupdf.pdf_is_stream(shading):
            return Work(SET_UP)
        return Work(SET_UP + int(mupdf.fz_skip(mupdf.pdf_open_stream(shading), self._walk.most + 1)))

    def _glyph(self, font: Any) -> Work:
        """Of the heaviest glyph that a Type 3 font may show."""
        if mupdf.pdf_to_name(mupdf.pdf_dict_gets(font, "Subtype")) != "Type3":
            return NOTHING
        glyphs, own = (mupdf.pdf_dict_gets(font, key) for key in ("CharProcs", "Resources"))
        resources, holder = (own, mupdf.pdf_to_num(font)) if mupdf.pdf_is_dict(own) else (self._resources, self._number)
        procedures = _procedures(glyphs, mupdf.pdf_dict_gets(font, "Encoding"))
        return max((self._walk.part(each, resources, holder) for each in procedures), default=NOTHING)

    def _font_of_state(self, state: Any) -> Work:
        return self._glyph(mupdf.pdf_array_get(mupdf.pdf_dict_gets(state, "Font"), 0))


class _State(NamedTuple):
    """Of the graphics state what has content: bytes of each."""

    mask: int = 0
    fill: int = 0
    stroke: int = 0
    glyph: int = 0


_FONT_OF_STATE: Final = b"gs /Font"
"""The operator `gs`, for the font that it sets."""

_KINDS: Final[dict[bytes, tuple[str, Callable[[_Parts, Any], Work]]]] = {
    b"Do": ("XObject", _Parts._form),
    b"gs": ("ExtGState", _Parts._mask),
    b"scn": ("Pattern", _Parts._pattern),
    b"SCN": ("Pattern", _Parts._pattern),
    b"sh": ("Shading", _Parts._shading),
    b"Tf": ("Font", _Parts._glyph),
    _FONT_OF_STATE: ("ExtGState", _Parts._font_of_state),
}
"""Operator to the kind of resource that it names, and what that comes to."""
_SETS: Final = _FILL_COLORS | _STROKE_COLORS | {b"gs", b"Tf"}


def _hidden(state: _State, image: bytes) -> Work:
    """What the data of an inline image come to where MuPDF ends it before we do, and they are operators."""
    painted = paints(image)
    shown = len(image) if _SHOWING.search(image) else 0
    return Work(painted * (state.mask + state.fill + state.stroke) + shown * state.glyph, painted)


_SHOWING: Final = re.compile(rb"(?<![A-Za-z0-9*/])(?:T[jJ]|['\"])(?![A-Za-z0-9*])")


def _procedures(glyphs: Any, encoding: Any) -> Iterable[Any]:
    """Of the characters that a Type 3 font may show, of those that it names where there are more than can be shown."""
    count = mupdf.pdf_dict_len(glyphs)
    differences = mupdf.pdf_dict_gets(encoding, "Differences")
    is_named = mupdf.pdf_is_array(differences) and not mupdf.pdf_is_name(mupdf.pdf_dict_gets(encoding, "BaseEncoding"))
    if count <= GLYPHS or not is_named:
        return (mupdf.pdf_dict_get_val(glyphs, place) for place in range(count))
    named = (mupdf.pdf_array_get(differences, place) for place in range(mupdf.pdf_array_len(differences)))
    return (mupdf.pdf_dict_get(glyphs, each) for each in named if mupdf.pdf_is_name(each))


def _sum(one: Work, other: Work) -> Work:
    return Work(one.size + other.size, one.paints + other.paints)


def _appearances(page: Any) -> Iterable[Any]:
    """What the annotations of a page look like."""
    listed = mupdf.pdf_dict_gets(page, "Annots")
    for place in range(mupdf.pdf_array_len(listed)):
        annotation = mupdf.pdf_array_get(listed, place)
        shown = mupdf.pdf_dict_gets(mupdf.pdf_dict_gets(annotation, "AP"), "N")
        if mupdf.pdf_is_stream(shown):
            yield shown
        elif mupdf.pdf_is_dict(shown):
            yield mupdf.pdf_dict_get(shown, mupdf.pdf_dict_gets(annotation, "AS"))
