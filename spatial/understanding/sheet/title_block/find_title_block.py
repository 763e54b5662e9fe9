"""The title block: what the sheet says about itself, field by field, with where each value was read and how sure that is.

Glossary
  label cell   a ruled cell with a label in it: "SCALE".
  value cell   the cell that holds a label's value: the label cell itself, or the one to the right or below.
  evidence     why a text is a field's value: an attribute's tag, a label in the cell, a label beside it, its place.
  block        the crowd of labels at a border of the sheet that all this is read from.

Order of evidence and confidence are described in docs/title-block.md. Sources: ISO 7200, ASME Y14.100, GOST 2.104, spec `title_block`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from spatial.contract.drawing import TitleBlock
from spatial.knowledge.fields import FIELDS, is_cut_off, is_distinctive
from spatial.knowledge.phrases import is_notice
from spatial.knowledge.title_labels import HEADER, SHEET_COUNT
from spatial.knowledge.value_forms import UNIT_STATEMENT, UNREAD, has_letter, paper_format, without_verb
from spatial.models.sheet.drawing import Box, Sheet
from spatial.understanding.sheet.cells.grid import Grid
from spatial.understanding.sheet.title_block import (
    attributes,
    by_standard,
    cells,
    corner_boxes,
    crossing_lines,
    half_read,
    lone_forms,
    lone_titles,
    owner_lines,
    owner_notice,
    parted_lines,
    place_tolerances,
    plain_lines,
    typical,
    unit_statements,
)
from spatial.understanding.sheet.title_block import unlabelled as title_unlabelled
from spatial.understanding.sheet.title_block.blocks import Block, blocks
from spatial.understanding.sheet.title_block.field_reading import Evidence, FieldReading
from spatial.understanding.sheet.title_block.headings import field_labels
from spatial.understanding.sheet.title_block.layout import Layout, layouts
from spatial.understanding.sheet.title_block.printed import (
    Form,
    PrintedField,
    find_form,
    named,
    printed_fields,
    told_by_form,
)
from spatial.understanding.sheet.title_block.unfilled import is_parameter_of_number, without_placeholders

MOST_SHEETS: Final = 40
"""Sheets that are looked at for a title block."""
FULL: Final = 3
"""Fields of a full block: the first sheet that has one is read."""

_TRUST: Final[Mapping[Evidence, float]] = {
    "attrib": 0.98,
    "cell label": 0.96,
    "label left": 0.95,
    "label above": 0.93,
    "combined line": 0.9,
    "typical place": 0.85,
    "note": 0.8,
}
"""Confidence of a value that stands so, before its form is looked at."""
_RANK: Final = {evidence: place for place, evidence in enumerate(_TRUST)}
_PRINTED: Final = 0.85
"""Confidence of a field whose label is told by its lettering alone."""
_WEAK: Final = 0.97
"""What is left of the confidence where only a weak label names the field."""
_AT_PAPER: Final = re.compile(r"(.+?)\s*(?:@|[^\W\d_]{1,4})\s*(A[0-4])", re.IGNORECASE)
""" "1:2 @ A3", "1:2 on A3": with a short word of any language between."""
_NUMBER_AND_REVISION: Final = re.compile(r"(\S.*?)[\s,]+rev(?:ision)?\.?\s*([A-Z]|\d{1,3})", re.IGNORECASE)
""" "830-00011 Rev A"."""
_NOUGHT_FOR_O: Final = re.compile(r"(?<=\d)0F\s?(?=\d)")
""" "10F1": in letterings of strokes O is drawn as the figure, and blanks are as wide as the space between letters."""
_BRACKETED: Final = re.compile(r"\([^()]+\)|\[[^\[\]]+\]")
_END_OF_BRACKET: Final = re.compile(r"[^()\[\]]+[)\]]")
""" "(Unit = mm)": the bracket that opens before the label is no part of the value."""
_NO_PICTURES: Final[Mapping[int, Sequence[Box]]] = {}
_MANY_NAMED: Final = 6
"""Fields that the labels of a form without rules name, so that one of them tells by its label alone that it is a title block."""
_EMPTY: Final = 5
"""Labels of different fields that make a form, whether it is filled in or not."""
_SCALE_AND_UNIT: Final = frozenset({"scale", "units"})
"""What two labels state of the whole sheet and of nothing smaller: with a third label they make a title block without rules."""
_CHANGE_HEADINGS: Final = 2
"""Headings of the columns of changes, besides the date's: they and the sheet's number are a further sheet (GOST 2.104, form 2a)."""
_IDENTIFYING: Final = frozenset({"scale", "size", "drawing_number", "part_number"})
"""A crowd of labels without rules must name one of these to be a title block and not a letterhead."""


@dataclass(frozen=True, slots=True)
class FoundTitleBlock:
    """A title block and the texts that it is made of."""

    block: TitleBlock
    claimed: frozenset[str]
    """Ids of all lettering of the blocks of all sheets: values, labels, and what else stands in its cells."""


# Coordinates come from the file: one that overflows is far from everything, and nothing more is asked of it.
@np.errstate(over="ignore", invalid="ignore")
def find_title_block(
    sheets: Sequence[Sheet],
    grids: Mapping[int, list[Grid]],
    claimed: frozenset[str],
    pictures: Mapping[int, Sequence[Box]] = _NO_PICTURES,
) -> FoundTitleBlock | None:
    """The title block of the first sheet that has a full one, else the fullest there is.

    Args:
        sheets: in the order of the file.
        grids: the ruled cells of each sheet, by page.
        claimed: ids of texts that belong to tables.
        pictures: boxes of the pictures of each sheet, by page.
    """
    best: tuple[_Reading, int] | None = None
    used: set[str] = set()
    others: list[dict[str, str | int]] = []
    for sheet in sheets[:MOST_SHEETS]:
        read = _read(sheet, grids.get(sheet.page, []), claimed, pictures.get(sheet.page, ()))
        chosen = read.chosen
        if not chosen and not read.printed:
            continue
        used |= read.lettering
        others.append(
            {"page": sheet.page, **{key: chosen[key].value for key in ("sheet", "size", "scale") if key in chosen}}
        )
        if best is not None and best[0].count < FULL and _is_further_sheet(best[0], read):
            best = (_with_further_sheet(best[0], read), best[1])
        elif best is None or (best[0].count < FULL and read.count > best[0].count):
            best = (read, sheet.page)
    if best is None:
        return None
    return FoundTitleBlock(_model(*best, others), frozenset(used))


@dataclass(frozen=True, slots=True)
class _Reading:
    """What one sheet has: named fields, fields under their printed labels, and the ids of all lettering that is title block."""

    chosen: dict[str, FieldReading]
    printed: list[PrintedField]
    lettering: frozenset[str]

    @property
    def count(self) -> int:
        """How many fields it has."""
        return len(self.chosen) + len(self.printed)


def _read(sheet: Sheet, grids: Sequence[Grid], claimed: frozenset[str], pictures: Sequence[Box]) -> _Reading:
    """The title block of one sheet."""
    given = attributes.readings(sheet)
    found: list[FieldReading] = []
    used: set[str] = {source for reading in given for source in reading.sources}
    seen = layouts(sheet, grids, claimed | used, pictures)
    own: Block | None = None
    remarks: set[str] = set()
    crowds = [blocks(layout) for layout in seen]
    for block in _likeliest(crowds):
        exempted = block.exempted()
        labelled = [each for each in cells.readings(block) if not exempted.intersection(each.sources)]
        known = [*given, *without_placeholders(block, labelled)]
        standard = list(by_standard.readings(block))
        known += by_standard.without(known, standard)
        known = owner_notice.with_customer(block, known)
        read = [*known[len(given) :], *_without_labels(block, list(typical.readings(block, known)))]
        if given or len(standard) >= FULL or _is_block(block, labelled):
            found, own = crossing_lines.with_rest(read, block.layout), block
            remarks = block.remarks()
            used |= ({label.source for label in block.labels} | block.lettering()) - remarks
            break
    form: Form | None = None
    if not found and not given:
        every = layouts(sheet, grids, claimed, unlabelled=True)
        form = _likeliest_form(every)
        found = list(form.named) if form is not None else _unlabelled(seen or every[:1])
    found = half_read.without(found, sheet)
    chosen = _chosen([*given, *found])
    taken = {source for reading in chosen.values() for source in reading.sources}
    if form is not None:
        return _Reading(chosen, list(form.fields), frozenset(used | taken | form.lettering))
    if own is not None:
        named = {label.wording.key for label in field_labels(own) if label.wording is not None}
        known_keys = {*chosen, *(named & _LABELLED)}
        told = [each for each in told_by_form(own, taken | remarks) if each.key not in known_keys]
        if "tolerances" not in chosen:
            told = place_tolerances.with_list(told, own)
        taken |= {source for reading in told for source in reading.sources}
        paired = {source for field in printed_fields(own, taken | remarks) for source in field.sources}
        told += lone_forms.readings(own, {*chosen, *(each.key for each in told)}, taken | remarks, paired)
        told += corner_boxes.readings(
            [block for each in crowds for block in each], own, {*chosen, *(each.key for each in told)}
        )
        chosen = _chosen([*chosen.values(), *told])
        taken |= {source for reading in told for source in reading.sources}
    if len(chosen) < FULL:
        lines = [each for layout in seen for each in parted_lines.readings(layout, set(chosen))]
        chosen = _chosen([*chosen.values(), *lines])
        taken |= {source for reading in lines for source in reading.sources}
    if own is not None and "units" not in chosen and "tolerances" in chosen:
        chosen = _chosen([*chosen.values(), *unit_statements.of_tolerances(own, chosen["tolerances"])])
    chosen = _without_rows_of_list(chosen)
    printed = printed_fields(own, taken | remarks) if own is not None else []
    # half a name names nothing
    printed = [each for each in printed if UNREAD not in each.label + each.value and not is_cut_off(each.label)]
    printed = [each for each in printed if not is_parameter_of_number(each.value)]
    owner = owner_lines.beside_emblem(printed) if "company" not in chosen else None
    if owner is not None:
        chosen = _chosen([*chosen.values(), owner[0]])
        printed = [each for each in printed if each is not owner[1]]
    chosen = {
        key: reading for key, reading in chosen.items() if UNREAD not in reading.value
    }  # half a number is another one
    shared = {source for reading in chosen.values() if reading.shared for source in reading.sources}
    used -= _unread_statements(own, given, printed)
    notices = {text.id for text in sheet.texts if is_notice(text.text)} - taken if shared else set()
    return _with_named(_Reading(chosen, printed, frozenset((used | taken) - shared - notices)))


def _unread_statements(own: Block | None, given: Sequence[FieldReading], printed: Sequence[PrintedField]) -> set[str]:
    """Ids of labels in open space with their value in the same text that nothing was read from: each may be a line of a list."""
    shown = {source for field in printed for source in field.sources}
    shown |= {source for reading in given for source in reading.sources}
    return {
        label.source
        for label in (own.labels if own is not None else ())
        if label.cell < 0
        and label.wording is not None
        and label.wording.colon
        and label.wording.value
        and label.source not in shown
    }


_OF_THE_SHEET: Final = frozenset({"sheet", "size", "scale"})
"""Keys that each sheet of a drawing has by itself."""


_OF_THE_DRAWING: Final = frozenset({"title", "drawing_number", "part_number", "material"})
"""Keys that are the same on all sheets of one drawing; the sheets of a set of parts are counted together as well."""


def _is_further_sheet(first: _Reading, further: _Reading) -> bool:
    """Whether two blocks number sheets of one drawing, 1 of 2 and 2 of 2, and name no two things."""
    counts = [re.findall(r"\d+", read.chosen["sheet"].value) for read in (first, further) if "sheet" in read.chosen]
    is_counted = len(counts) == 2 and len(counts[0]) == len(counts[1]) == 2 and counts[0][1] == counts[1][1] != "1"
    return is_counted and not any(
        first.chosen[key].value != further.chosen[key].value
        for key in _OF_THE_DRAWING & first.chosen.keys() & further.chosen.keys()
    )


def _with_further_sheet(first: _Reading, further: _Reading) -> _Reading:
    """`first` with what only the block of a further sheet of the drawing was read to state of the whole drawing."""
    more = {key: field for key, field in further.chosen.items() if key not in _OF_THE_SHEET}
    chosen = more | first.chosen
    return replace(first, chosen={key: chosen[key] for key in FIELDS if key in chosen})


def _without_rows_of_list(chosen: dict[str, FieldReading]) -> dict[str, FieldReading]:
    """`chosen` without a finish that is a row of the list of general tolerances: `SURFACE ROUGHNESS 1.6 µm` under `ANGLES ±1°`."""
    listed = set(chosen["tolerances"].sources) if "tolerances" in chosen else set()
    return {key: field for key, field in chosen.items() if key != "finish" or not set(field.sources) <= listed}


def _without_labels(block: Block, found: Sequence[FieldReading]) -> list[FieldReading]:
    """`found` without values that are a label, whose word is not known, and its value: those are printed fields.

    The word in the value of a sheet of several ("1 OF 2") is no such label.
    """
    if not found:
        return []
    pairs = [set(field.sources) for field in printed_fields(block, ()) if len(field.sources) > 1]
    return [
        reading
        for reading in found
        if reading.key == "sheet" or not any(pair <= set(reading.sources) for pair in pairs)
    ]


_LABELLED: Final = frozenset({"title", "drawing_number", "drawn_by", "date", "units"})
"""Keys that are not told by form where a label of the block names them: where it has no value, their field is empty."""
_FORM_TELLS: Final = frozenset({"scale", "size", "sheet", "tolerances", "units"})
"""Keys that the form of a value names in a block with other labels; a date or a mass there may be of something else."""


def _with_named(read: _Reading) -> _Reading:
    """`read` with those printed fields named whose value has the form of a key that the block does not name."""
    told = {key: field for key, field in named(read.printed, read.chosen).items() if key in _FORM_TELLS}
    readings = [FieldReading(key, field.value, field.sources, "typical place") for key, field in told.items()]
    chosen = _chosen([*read.chosen.values(), *readings])
    return _Reading(chosen, [field for field in read.printed if field not in told.values()], read.lettering)


def _likeliest_form(seen: Sequence[Layout]) -> Form | None:
    found = [form for layout in seen if (form := find_form(layout)) is not None]
    return max(found, key=lambda form: len(form.fields) + len(form.named), default=None)


def _unlabelled(seen: Sequence[Layout]) -> list[FieldReading]:
    """What a block without labels states, ruled or in plain lines."""
    ways = (title_unlabelled.readings, plain_lines.readings, lone_titles.readings)
    return next((read for way in ways for layout in seen if (read := way(layout))), [])


def _likeliest(crowds: Sequence[Sequence[Block]]) -> list[Block]:
    found = [block for own in crowds for block in own[:4]]
    return sorted(found, key=lambda block: -block.score)[:4]


def _is_block(block: Block, found: Sequence[FieldReading]) -> bool:
    """Whether what was read makes a title block: a letterhead, a table's head and a book's page do not."""
    strong = {reading.key for reading in found if not reading.weak}
    keys = {reading.key for reading in found}
    named = {
        label.wording.key
        for label in block.labels
        if label.wording and label.wording.is_field and not label.wording.weak
    }
    ruled = sum(label.cell >= 0 for label in block.labels) * 2 >= len(block.labels)
    headings = sum(
        label.cell >= 0 and label.wording is not None and label.wording.key == HEADER for label in block.labels
    )
    if ruled and headings >= _CHANGE_HEADINGS and "sheet" in strong:
        return True
    if ruled:
        further = len(printed_fields(block, ())) if len(keys) < 2 and len(named) < 5 else 0
        # A form of so many labels is a title block whichever of them is filled in.
        is_filled = bool(strong) or (bool(keys) and len(named) >= _MANY_NAMED) or _is_empty_form(block)
        return is_filled and (len(keys) + further >= 3 or len(keys) >= 2 or len(named) >= 5) and len(named) >= 2
    formed = {reading.key for reading in found if not reading.weak and is_distinctive(reading.key, reading.value)}
    if formed >= _SCALE_AND_UNIT:
        return len(block.labels) >= FULL
    # The number of a form with so many labels may be left empty.
    identified = strong & _IDENTIFYING or (named & _IDENTIFYING and len(named) >= _MANY_NAMED)
    return len(strong) >= 2 and len(keys) >= 3 and bool(identified)


def _is_empty_form(block: Block) -> bool:
    """Whether ruled labels of several fields, the scale's among them, make a form that nobody filled in by its labels."""
    labels = [label for label in field_labels(block) if label.cell >= 0 and label.wording and not label.wording.value]
    keys = {label.wording.key for label in labels if label.wording and not label.wording.weak}
    return len(keys) >= _EMPTY and "scale" in keys


def _chosen(found: Sequence[FieldReading]) -> dict[str, FieldReading]:
    """The strongest reading of each key; a text is the value of one key only."""
    ranked = sorted(
        found,
        key=lambda reading: (reading.weak, _is_number_of_project(reading), _RANK[reading.evidence], reading.order),
    )
    best: dict[str, FieldReading] = {}
    taken: set[tuple[str, str]] = set()
    for reading in ranked:
        own = (reading.sources[-1], reading.value)
        if reading.key not in best and own not in taken:
            best[reading.key] = reading
            if reading.evidence != "cell label":
                taken.add(own)
    counted = _counted(best.get("sheet"), best.pop(SHEET_COUNT, None))
    if counted is not None:
        best["sheet"] = counted
    best = _without_owner_as_title(best)
    best |= _scale_at_paper(best)
    best = _with_paper_of_sheet(best)
    best |= _revision_of_number(best)
    if "units" in best:
        best["units"] = _plain_unit(best["units"])
    sheet = best.get("sheet")
    if sheet is not None:
        best["sheet"] = replace(sheet, value=_NOUGHT_FOR_O.sub(" OF ", sheet.value))
    size = best.get("size")
    if size is not None and (plain := paper_format(size.value)):
        best["size"] = FieldReading("size", plain, size.sources, size.evidence, size.weak, size.order)
    return {key: best[key] for key, field in FIELDS.items() if key in best and not field.part_of}


def _is_number_of_project(reading: FieldReading) -> bool:
    """Whether it is a project's or an order's number, which its name outranks where the block states both."""
    return reading.key == "project" and not has_letter(reading.value)


def _plain_unit(unit: FieldReading) -> FieldReading:
    """The unit without brackets around it and without the sentence that states it."""
    value = unit.value
    if _BRACKETED.fullmatch(value):
        value = value[1:-1].strip()
    elif _END_OF_BRACKET.fullmatch(value):
        value = value[:-1].strip()
    stated = UNIT_STATEMENT.match(unit.value)
    return replace(unit, value=without_verb(stated.group(1) if stated is not None else value))


def _scale_at_paper(best: Mapping[str, FieldReading]) -> dict[str, FieldReading]:
    """ "1:10 @ A2": the scale, and the paper that it holds on where nothing else names one."""
    scale = best.get("scale")
    stated = _AT_PAPER.fullmatch(scale.value) if scale else None
    if scale is None or stated is None:
        return {}
    return (
        {"size": replace(scale, key="size", value=stated[2])}
        | {key: best[key] for key in ("size",) if key in best}
        | {"scale": replace(scale, value=stated[1])}
    )


def _revision_of_number(best: Mapping[str, FieldReading]) -> dict[str, FieldReading]:
    """ "830-00011 Rev A": the number, and the revision where nothing else names one."""
    number = best.get("drawing_number")
    stated = _NUMBER_AND_REVISION.fullmatch(number.value) if number else None
    if number is None or stated is None or "revision" in best:
        return {}
    return {
        "drawing_number": replace(number, value=stated[1]),
        "revision": replace(number, key="revision", value=stated[2]),
    }


def _without_owner_as_title(best: dict[str, FieldReading]) -> dict[str, FieldReading]:
    """`best` without a title that stands in its place only and begins the company's name: the words of its logo."""
    title, company = best.get("title"), best.get("company")
    if title is None or company is None or title.evidence != "typical place":
        return best
    begins = company.value.casefold().startswith(title.value.casefold())
    return {key: reading for key, reading in best.items() if key != "title"} if begins else best


def _with_paper_of_sheet(best: dict[str, FieldReading]) -> dict[str, FieldReading]:
    """`best`, a paper format that stands where the sheet's number should as the format, where nothing else names one: "SHEET A4"."""
    sheet = best.get("sheet")
    if sheet is None or "size" in best or paper_format(sheet.value) is None:
        return best
    return {key: reading for key, reading in best.items() if key != "sheet"} | {"size": replace(sheet, key="size")}


def _counted(sheet: FieldReading | None, count: FieldReading | None) -> FieldReading | None:
    """ "1 of 2" of a sheet's number and the count of sheets; of a single sheet that has no number, "1"."""
    if count is None:
        return None
    total = re.match(r"\d+", count.value)
    if total is None:
        return None
    if sheet is None:
        alone = total.group().lstrip("0") == "1"
        return FieldReading("sheet", "1", count.sources, count.evidence, count.weak) if alone else None
    if not sheet.value.isdigit():
        return None
    ids = (*sheet.sources, *count.sources)
    return FieldReading("sheet", f"{sheet.value} of {total.group()}", ids, sheet.evidence, sheet.weak)


def _model(read: _Reading, page: int, others: Sequence[Mapping[str, str | int]]) -> TitleBlock:
    chosen = read.chosen
    sure = {each.label: _PRINTED for each in read.printed} | {
        key: confidence(reading) for key, reading in chosen.items()
    }
    further = {"sheets": [dict(each) for each in others]} if len(others) > 1 else {}
    named = {key: reading.value for key, reading in chosen.items()}
    further_sources = {each.label: list(each.sources) for each in read.printed}
    return TitleBlock(
        fields={each.label: each.value for each in read.printed} | named,
        confidence=round(sum(sure.values()) / len(sure), 3),
        sources=further_sources | {key: list(dict.fromkeys(reading.sources)) for key, reading in chosen.items()},
        confidences=sure,
        evidence={each.label: "printed label" for each in read.printed}
        | {key: reading.evidence for key, reading in chosen.items()},
        page=page,
        **further,
    )


def with_notes(block: TitleBlock, said: Mapping[str, Mapping[str, object]]) -> TitleBlock:
    """`block` with `from_notes`: what the notes say (`notes.general`) of fields that the block has not."""
    further = {
        key: {**each, "evidence": "note", "confidence": _TRUST["note"]}
        for key, each in said.items()
        if key not in block.fields
    }
    return block.model_copy(update={"from_notes": further}) if further else block


def confidence(reading: FieldReading) -> float:
    """How sure a value is: by its evidence, less where a weak label names it, more where its form speaks for it."""
    sure = _TRUST[reading.evidence] * (_WEAK if reading.weak else 1.0)
    return round(sure + (0.5 * (1 - sure) if is_distinctive(reading.key, reading.value) else 0.0), 3)
