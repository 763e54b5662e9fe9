"""A drawing in sentences: title block, sheets, scale, dimensions and callouts, parts list, revisions, notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, Final

from spatial.contract.drawing import Callout, DrawingMetadata, Sheet, Table
from spatial.contract.extraction import Structure
from spatial.counting import count_of
from spatial.reasoning.prose.sentence import SAMPLED_DIGITS, Fact, Sentence, figure, listing, quoted, sentence, size_of

PERSONS: Final = {"drawn_by": "drawn by", "checked_by": "checked by", "approved_by": "approved by"}

SAMPLES: Final = 3
"""Texts of callouts that are quoted per type, the most frequent first."""

PLURALS: Final = {
    "surface_finish": ("surface finish", "surface finishes"),
    "radius": ("radius", "radii"),
    "gdt": ("geometric tolerance", "geometric tolerances"),
    "datum": ("datum", "datums"),
    "basic": ("basic dimension", "basic dimensions"),
}


def drawing_sentences(structure: Structure) -> Iterator[Sentence]:
    """From the title block to the notes."""
    metadata = structure.drawing_metadata or DrawingMetadata()
    fields = metadata.title_block.fields if metadata.title_block else {}
    yield _opening(fields)
    yield from _sheets(structure.sheets or [], fields)
    yield from _requirements(fields)
    yield from _content(structure)
    yield from _callouts(structure.callouts or [])
    yield from _tables(metadata)
    yield from _notes(metadata)
    yield from _persons(fields)


def _field(fields: dict[str, str], name: str) -> Fact:
    return Fact(name, fields.get(name), "structure", f"title_block.fields.{name}")


def _opening(fields: dict[str, str]) -> Sentence:
    number = fields.get("drawing_number") or fields.get("part_number")
    title = fields.get("title")
    if not (number or title):
        return sentence(
            "the drawing has no title block that could be read", Fact("title_block", None, "structure", "title_block")
        )
    subject = f"drawing {number}" if number else "the drawing"
    shows = f" shows {quoted(title)}" if title else ""
    revision = f", revision {fields['revision']}" if fields.get("revision") else ""
    company = f", of {fields['company']}" if fields.get("company") else ""
    text = (
        f"{subject}{shows}{revision}{company}" if shows else f"the drawing has the number {number}{revision}{company}"
    )
    names = ("drawing_number", "part_number", "title", "revision", "company")
    return sentence(text, *(_field(fields, name) for name in names if fields.get(name)))


def _sheets(sheets: list[Sheet], fields: dict[str, str]) -> Iterator[Sentence]:
    if not sheets:
        return
    further: list[dict[str, Any]] = [dict(sheet.model_extra or {}) for sheet in sheets]
    sizes = [each["size"] for each in further if each.get("size")]
    facts = [Fact("sheets", len(sheets), "structure", "objects of the type sheet")]
    text = f"it has {count_of(len(sheets), 'sheet')}"
    if sizes and len(set(sizes)) == 1 and len(sizes) == len(sheets):
        text += f" of the size {sizes[0]}"
        facts.append(Fact("size", sizes[0], "structure", "objects[].size"))
    elif len(sheets) == 1 and sheets[0].unit and _has_extent(sheets[0]):
        box = sheets[0].bbox or ()
        text += f" of {size_of((box[2] - box[0], box[3] - box[1]), sheets[0].unit)}"
        facts.append(Fact("bounds", list(box), "structure", "objects[].bounds"))
    if fields.get("scale"):
        text += f", with the stated scale {fields['scale']}"
        facts.append(_field(fields, "scale"))
    measured = {round(each["scale"]["value"], 6) for each in further if _is_measured(each.get("scale"))}
    if len(measured) == 1:
        value = measured.pop()
        text += (
            f" and, measured on its dimensions, {scale_text(value)}"
            if fields.get("scale")
            else f", at {scale_text(value)} by its dimensions"
        )
        facts.append(Fact("measured scale", value, "geometry", "objects[].scale"))
    yield sentence(text, *facts)


def _has_extent(sheet: Sheet) -> bool:
    return sheet.bbox is not None and sheet.bbox[2] > sheet.bbox[0] and sheet.bbox[3] > sheet.bbox[1]


def _is_measured(scale: Any) -> bool:
    return isinstance(scale, dict) and scale.get("found") == "dimensions" and isinstance(scale.get("value"), float)


def scale_text(value: float) -> str:
    """A scale as ISO 5455 writes it: 2:1, 1:5."""
    return f"{figure(value, SAMPLED_DIGITS)}:1" if value >= 1 else f"1:{figure(1 / value, SAMPLED_DIGITS)}"


def _requirements(fields: dict[str, str]) -> Iterator[Sentence]:
    """Material, finish, weight and general tolerances, in the words of the sheet."""
    words = {
        "material": "the material",
        "finish": "the finish",
        "weight": "the weight",
        "tolerances": "the general tolerances",
    }
    named = [(name, text) for name, text in words.items() if fields.get(name)]
    if named:
        parts = [f"{text} {quoted(fields[name])}" for name, text in named]
        yield sentence(f"the title block states {listing(parts)}", *(_field(fields, name) for name, _ in named))


def _content(structure: Structure) -> Iterator[Sentence]:
    dimensions = structure.dimensions or []
    entities = structure.entities or []
    kinds = Counter(entity.type for entity in entities if entity.type)
    if not (dimensions or entities):
        return
    parts = [count_of(len(dimensions), "dimension")] if dimensions else []
    parts += [count_of(len(entities), "drawn entity", "drawn entities")] if entities else []
    commonest = ", mostly " + listing([f"{kind}s" for kind, _ in kinds.most_common(2)]) if len(kinds) > 1 else ""
    yield sentence(
        f"it carries {listing(parts)}{commonest}",
        Fact("dimensions", len(dimensions), "structure", "dimension_count"),
        Fact("entities by type", dict(kinds.most_common()), "structure", "structure.entities"),
    )


def _callouts(callouts: list[Callout]) -> Iterator[Sentence]:
    if not callouts:
        return
    by_type: dict[str, list[Callout]] = {}
    for callout in callouts:
        by_type.setdefault(callout.type, []).append(callout)
    ordered = sorted(by_type.items(), key=lambda each: (-len(each[1]), each[0]))
    parts = [f"{_counted(kind, len(found))} ({_samples(found)})" for kind, found in ordered]
    facts = [
        Fact(f"callouts: {kind}", [each.text for each in found], "structure", "callout_counts")
        for kind, found in ordered
    ]
    yield sentence(
        f"its {count_of(len(callouts), 'callout is', 'callouts are')} {listing(parts, 'further type')}", *facts
    )
    holes = sum(each.quantity or 1 for each in callouts if each.type in ("hole", "thread"))
    if holes and any(each.quantity for each in callouts if each.type in ("hole", "thread")):
        fact = Fact(
            "quantities",
            {each.text: each.quantity or 1 for each in callouts if each.type in ("hole", "thread")},
            "structure",
            "callout_quantities",
        )
        yield sentence(
            f"with their quantities, the callouts of holes and threads call for {count_of(holes, 'feature')}", fact
        )


def _counted(kind: str, number: int) -> str:
    one, many = PLURALS.get(kind, (kind.replace("_", " "), ""))
    return count_of(number, one, many)


def _samples(found: list[Callout]) -> str:
    texts = [text for text, _ in Counter(" ".join(each.text.split()) for each in found).most_common()]
    return ", ".join(quoted(text) for text in texts[:SAMPLES]) + (", …" if len(texts) > SAMPLES else "")


def _tables(metadata: DrawingMetadata) -> Iterator[Sentence]:
    if metadata.bom is not None:
        rows = len(metadata.bom.rows)
        named = _row_names(metadata.bom)
        yield sentence(
            f"the parts list has {count_of(rows, 'row')}" + (f": {listing(named)}" if named else ""),
            Fact("parts list", metadata.bom.rows, "structure", "bom.rows"),
        )
    if metadata.revisions is not None and metadata.revisions.rows:
        yield sentence(
            f"the table of revisions has {count_of(len(metadata.revisions.rows), 'row')}",
            Fact("revisions", metadata.revisions.rows, "structure", "revisions.rows"),
        )


NAME_WORDS: Final = (
    "name",
    "description",
    "title",
    "part name",
    "designation",
    "benennung",
    "bezeichnung",
    "désignation",
)
"""Headings of the column of a parts list that names the part."""


def _row_names(table: Table) -> list[str]:
    """Names in the parts list, where a column has such a heading."""
    column = next((each for each in table.columns if each.strip().lower() in NAME_WORDS), None)
    return [] if column is None else [quoted(row[column]) for row in table.rows if row.get(column)]


def _notes(metadata: DrawingMetadata) -> Iterator[Sentence]:
    notes = [note for note in metadata.notes.items if note.text.strip()] if metadata.notes else []
    if notes:
        first = listing([quoted(note.text.rstrip(".")) for note in notes], "further note")
        yield sentence(
            f"it has {count_of(len(notes), 'note')}: {first}",
            Fact("notes", [note.text for note in notes], "structure", "notes"),
        )


def _persons(fields: dict[str, str]) -> Iterator[Sentence]:
    named = [f"{words} {fields[name]}" for name, words in PERSONS.items() if fields.get(name)]
    date = f", with the date {fields['date']}" if fields.get("date") else ""
    if named or date:
        facts = [_field(fields, name) for name in (*PERSONS, "date") if fields.get(name)]
        yield sentence(f"it was {listing(named)}{date}" if named else f"it has the date {fields['date']}", *facts)
