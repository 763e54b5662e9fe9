"""What the texts of a sheet say besides its callouts: radii and chamfers for all edges, slots, and that the model governs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from spatial.contract.extraction import Structure
from spatial.reasoning.link.asked import Asked, Place
from spatial.reasoning.link.size import SizeReader

_SIZE: Final = r"(\d*[.,]\d+|\d+)"

RADII: Final = re.compile(
    rf"\b(?:FILLETS?|ROUNDS?|RADII|RADIUS|ROUNDINGS?|BEND\w*|BANDING|RUNDUNG\w*|RADIEN|CONG[EÉ]S?|RACCORDI|RAGGI)\b[^\d]{{0,40}}?"
    rf"\bR?\s?=?\s?{_SIZE}",
    re.IGNORECASE,
)
"""`ALL FILLETS R3 UNLESS OTHERWISE SPECIFIED`, `Inner bending R = 2,4`."""

CHAMFERS: Final = re.compile(rf"\b(?:CHAMFERS?|FASEN?|CHANFREINS?|SMUSSI?)\b[^\d]{{0,30}}?{_SIZE}", re.IGNORECASE)

SLOTS: Final = re.compile(
    rf"(?:(?P<n>\d{{1,3}})\s?[xX×]\s?)?(?:(?:SLOTS?|LANGL[OÖ]CH\w*|OBLONGS?|ASOLE?)\s*(?P<a>{_SIZE})\s?[xX×]\s?(?P<b>{_SIZE})"
    rf"|(?<![\d.,])(?P<c>{_SIZE})\s?[xX×]\s?(?P<d>{_SIZE})\s*(?:SLOTS?|LANGL[OÖ]CH\w*|OBLONGS?|ASOLE?)\b)",
    re.IGNORECASE,
)
"""`2X 6.5 x 12 SLOT`, `SLOT 8 X 20`: width and length in either order."""

GOVERNING: Final = re.compile(
    r"\b(?:binding|govern\w*|controls?|master|defin\w+|maßgebend|verbindlich)\b.{0,60}\b(?:3D|CAD|solid|STEP|model)\b"
    r"|\b(?:3D|CAD|solid|STEP|model)\b.{0,60}\b(?:binding|govern\w*|controls?|master|defin\w+|maßgebend|verbindlich)\b",
    re.IGNORECASE,
)
"""`Nominal geometry to be taken from the binding 3D solid model`."""

DIAMETERS: Final = re.compile(rf"[Ø⌀∅]\s?{_SIZE}|\bDIA\.?\s?{_SIZE}|{_SIZE}\s?DIA\b", re.IGNORECASE)

LONE: Final = re.compile(rf"\s*{_SIZE}\s*$")

THREADS: Final = re.compile(rf"\bM\s?{_SIZE}")

SEPARATORS: Final = re.compile(r"[.;]\s|\n")


def texts(structure: Structure) -> Iterator[str]:
    """All lettering: annotations, dimensions, notes and cells of tables."""
    for annotation in structure.annotations or ():
        yield annotation.text or ""
    for dimension in structure.dimensions or ():
        yield dimension.text or ""
    yield from tabled(structure)


def tabled(structure: Structure) -> Iterator[str]:
    """Notes and cells of tables, which are no callouts."""
    metadata = structure.drawing_metadata
    if metadata is None:
        return
    for note in metadata.notes.items if metadata.notes else ():
        yield note.text
    for table in metadata.tables or ():
        for row in table.rows:
            yield from row.values()


def general_requests(structure: Structure, reader: SizeReader) -> Iterator[Asked]:
    """Radii and chamfers that notes give for all edges."""
    metadata = structure.drawing_metadata
    notes = metadata.notes.items if metadata and metadata.notes else ()
    for note in notes:
        for pattern, kind in ((RADII, "radius"), (CHAMFERS, "chamfer")):
            for found in pattern.finditer(note.text):
                value = number(found[1])
                if value > 0.0:
                    size = reader.size(value, text=found[0], is_edge=True)
                    name = f"note-{note.number}"
                    yield Asked((name,), kind, note.text, reader.unit, reader.factor, Place(), size, is_general=True)  # type: ignore[arg-type]  # two kinds


def slot_requests(structure: Structure, reader: SizeReader) -> Iterator[Asked]:
    """Slots that a text calls by name with width and length."""
    for annotation in structure.annotations or ():
        found = SLOTS.search(annotation.text or "")
        if not found:
            continue
        first, second = (number(found[name] or found[other]) for name, other in (("a", "c"), ("b", "d")))
        width, length = sorted((first, second))
        if width > 0.0:
            place = Place(annotation.page, tuple(annotation.position) if annotation.position else None)
            yield Asked(
                (str(annotation.id),), "slot", annotation.text or "", reader.unit, reader.factor, place,
                reader.size(width, text=found[0]), int(found["n"]) if found["n"] else None,
                second=reader.size(length, text=found[0]),
            )  # fmt: skip


def written_diameters(structure: Structure, factor: float) -> list[float]:
    """Every diameter that is written anywhere, as in a table of holes, and every lone number; millimetres.

    Sections often dimension a bore as a length, without the sign or with a sign that is drawn.
    """
    written = list(texts(structure))
    found = [value for text in written for each in DIAMETERS.finditer(text) for value in each.groups() if value]
    found += [each[1] for text in written if (each := LONE.match(text))]
    return [number(value) * factor for value in found]


def written_threads(structure: Structure) -> list[float]:
    """The nominal diameters of all metric threads in notes and tables, as of holes, and over feature control frames; millimetres."""
    framed = (each.text for each in structure.callouts or [] if each.type == "gdt")
    return [number(found) for text in (*tabled(structure), *framed) for found in THREADS.findall(text)]


def is_model_governing(structure: Structure) -> bool:
    """Whether a note says that the model defines what the drawing leaves open."""
    return any(GOVERNING.search(text) for text in texts(structure))


def number(text: str) -> float:
    """A number with a point or a comma."""
    return float(text.replace(",", "."))
