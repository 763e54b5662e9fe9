"""What a drawing says, in the order in which an engineer reads a sheet: tables, title block, notes, then the part itself.

What one stage has read (a cell of the parts list, a note) is claimed, so that no later stage reads it as something else. A
stage that fails on a sheet nobody foresaw costs its own part of the document and no other; a warning names it.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import count
from typing import Any, Final, TypeVar

from spatial.contract.drawing import Callout, DrawingMetadata, NamedTable, Table
from spatial.counting import count_of
from spatial.models.guard import attempt
from spatial.models.reading import Meaning
from spatial.models.sheet.drawing import Box, Dimensioning, Drawing, Sheet
from spatial.models.sheet.records import dimension_record, sheet_record
from spatial.models.time_limit import time_limit
from spatial.understanding.sheet.callouts.basic import without_loose_boxes
from spatial.understanding.sheet.callouts.basic_counts import with_counts_joined
from spatial.understanding.sheet.callouts.basic_words import with_basic_words_joined
from spatial.understanding.sheet.callouts.centred_words import with_centred_words_joined
from spatial.understanding.sheet.callouts.context import Context, Unit, context_of
from spatial.understanding.sheet.callouts.dash_counts import without_counted_sizes
from spatial.understanding.sheet.callouts.designators import without_designators
from spatial.understanding.sheet.callouts.deviations_over import with_deviations_joined
from spatial.understanding.sheet.callouts.extract import extract_callouts
from spatial.understanding.sheet.callouts.outside_diameters import without_outside_diameters
from spatial.understanding.sheet.callouts.repeated import with_repeats_apart
from spatial.understanding.sheet.callouts.second_units import warnings_of_second_units, without_second_units
from spatial.understanding.sheet.callouts.size_ranges import without_size_ranges
from spatial.understanding.sheet.callouts.stacked_sizes import with_sizes_apart
from spatial.understanding.sheet.callouts.unread_signs import without_unread
from spatial.understanding.sheet.cells.border import zone_texts
from spatial.understanding.sheet.cells.grid import Grid, find_grids
from spatial.understanding.sheet.dimensions import find_dimensions as dimensioning
from spatial.understanding.sheet.dimensions.scales import common_scale
from spatial.understanding.sheet.label import Label
from spatial.understanding.sheet.lettering import labels as lettering
from spatial.understanding.sheet.lettering.overprinted import with_plus_minus
from spatial.understanding.sheet.notes.called_notes import called_cells, called_labels
from spatial.understanding.sheet.notes.find_notes import FoundNotes, find_notes
from spatial.understanding.sheet.notes.general_statements import general_statements
from spatial.understanding.sheet.pictured_lettering import Pictured, absent_block, pictured_lettering, warnings_of
from spatial.understanding.sheet.symbols.insert_signs import insert_signs
from spatial.understanding.sheet.tables import find_tables as tables
from spatial.understanding.sheet.tables.find_tables import Tables
from spatial.understanding.sheet.tables.parameters import parameter_values
from spatial.understanding.sheet.title_block import find_title_block as title_block
from spatial.understanding.sheet.title_block.filled_tables import filled_tables
from spatial.understanding.sheet.title_block.pictured import pictures_by_page, with_pictured
from spatial.understanding.sheet.title_block.tolerance_ranges import find_ranges, with_ranges
from spatial.understanding.sheet.title_block.unread_signs import unread_signs
from spatial.understanding.sheet.units import (
    SheetUnit,
    contradiction,
    scale_record,
    stated_per_point,
    stated_unit,
    unit_by_scale,
)
from spatial.understanding.sheet.views.find_views import find_views
from spatial.understanding.sheet.views.viewports import views_of_viewports

T = TypeVar("T")

CALLOUTS: Final = 5_000
"""Most callouts of a document."""

PATIENCE_SECONDS: Final = 30.0
"""Of processor time at most, after which no further stage begins: what was read by then is worth more than the converter's refusal at
its deadline.

Time on the clock would make the document depend on what else the machine does.
"""

PATIENCE_SHARE: Final = 0.5
"""Of the deadline at most, where that is short."""

DOCUMENT_SHARE: Final = 0.85
"""Of the deadline, for reading and meaning together; the rest is for the stage that is under way, for points and for the document."""

LABELS_AT_ONCE: Final = 50
"""Labels that are read for callouts between two looks at the clock, each of which takes as long as reading a plain size."""

_NO_TEXTS: Final[frozenset[str]] = frozenset()
_NO_VIEWS: Final[tuple[list[dict[str, Any]], frozenset[str]]] = ([], frozenset())
_NO_TABLES: Final = Tables([], [], [], frozenset())


def interpret(drawing: Drawing, spent: float = 0.0) -> Meaning:
    """Everything a drawing says. spent: seconds of a processor that reading it took, of those that the deadline allows."""
    return _Interpretation(drawing, spent).meaning()


class _Interpretation:
    """One drawing while its stages run."""

    def __init__(self, drawing: Drawing, spent: float) -> None:
        self.all, self.entities = drawing.sheets, drawing.entities
        self.warnings: list[str] = []
        self.sheets = [self._with_plus_minus(sheet) for sheet in drawing.sheets if sheet.texts]
        # Running text has no geometry that a size could be of; it has thousands of lines.
        self.drawn = [sheet for sheet in self.sheets if "geometry" not in sheet.further]
        self.claimed: frozenset[str] = frozenset()
        self.lettered: dict[int, list[Label]] = {}
        self.framed: list[Label] = []
        self.units: dict[int, SheetUnit] = {}
        self.outside: set[str] = set()
        left = max(DOCUMENT_SHARE * time_limit() - spent, 0.0)
        self.patience = min(PATIENCE_SECONDS, PATIENCE_SHARE * time_limit(), left)
        self.until = time.thread_time() + self.patience

    def meaning(self) -> Meaning:
        """The stages, one a line."""
        sheets = [insert_signs(sheet) for sheet in self.sheets]
        self.claimed = frozenset(name for sheet in sheets for name in self._zones(sheet))
        grids = {sheet.page: self._grids(sheet) for sheet in sheets}
        found = self._try("tables", lambda: tables.find_tables(sheets, grids), _NO_TABLES)
        self.claimed |= found.claimed
        textures = frozenset(name for sheet in sheets for name in self._textures(sheet))
        pictured = pictures_by_page(self.entities)
        pictures = {page: [box for _, box in own] for page, own in pictured.items()}
        filled = self._try("tables", lambda: filled_tables([each for own in grids.values() for each in own]), _NO_TEXTS)
        shut_out = self.claimed | textures | filled
        block = self._try("title block", lambda: title_block.find_title_block(sheets, grids, shut_out, pictures), None)
        self.claimed |= block.claimed if block else frozenset()
        if block:
            block = self._with_ranges(self._looked_over(block), grids)
        unread = [each for sheet in self.all for each in self._pictured(sheet, pictured.get(sheet.page, []), block)]
        self.warnings += warnings_of(unread)
        found = self._try("tables", lambda: tables.with_unknown(found, grids, self.claimed), found)
        self.claimed |= found.claimed | filled
        general = self._try("notes", lambda: find_notes(sheets, grids, self.claimed), None)
        self.claimed |= general.claimed if general else frozenset()
        self.claimed |= parameter_values(each for own in grids.values() for each in own)
        in_notes = general.claimed if general else _NO_TEXTS
        in_forms = self.claimed - in_notes
        self.claimed -= frozenset(name for sheet in self.drawn for name in self._framed(sheet, in_forms))
        self.framed = [label for sheet in self.drawn for label in self._frames(sheet, in_notes)]
        self.claimed |= frozenset(name for label in self.framed for name in label.sources)
        self.lettered = {sheet.page: self._lettered(sheet) for sheet in self.drawn}
        dimensions = self._dimensions(block)
        metadata = _metadata(found, block, general, None if block else absent_block(unread))
        self._views(dimensions)
        context = self._context(general, block, dimensions)
        called = [*self._called_notes(general, context), *self._called_cells(block, context)]
        callouts = without_loose_boxes([*self._callouts(dimensions, context), *called])
        if len(callouts) > CALLOUTS:
            self.warnings.append(f"only the first {CALLOUTS:,} of {count_of(len(callouts), 'callout')} are listed")
        return Meaning(
            callouts=callouts[:CALLOUTS] or None,
            drawing_metadata=metadata,
            structure=self._structure(dimensions),
            warnings=self.warnings,
        )

    def _try(self, what: str, stage: Callable[[], T], otherwise: T) -> T:
        if self._is_late():
            self.warnings.append(
                f"the {what} could not be read, or not of every sheet: there is more on the sheets than "
                f"{self.patience:.3g} s are enough for"
            )
            return otherwise
        return attempt(what, stage, otherwise, self.warnings)

    def _is_late(self) -> bool:
        return time.thread_time() > self.until

    def _looked_over(self, found: title_block.FoundTitleBlock) -> title_block.FoundTitleBlock:
        """The block with what it shows in pictures; a warning for each sign that is drawn in it and was not read."""
        self.warnings += self._try("drawn signs", lambda: unread_signs(found.block, self.sheets), [])
        seen = self._try(
            "pictures in the title block",
            lambda: with_pictured(found.block, found.claimed, self.sheets, self.entities),
            found.block,
        )
        return replace(found, block=seen)

    def _pictured(
        self, sheet: Sheet, pictures: Sequence[tuple[str, Box]], found: title_block.FoundTitleBlock | None
    ) -> list[Pictured]:
        """The pictures of a sheet that may show lettering."""
        if not pictures:
            return []
        block = (found.block, found.claimed) if found else None
        nothing: list[Pictured] = []
        return self._try("pictures of the sheet", lambda: pictured_lettering(sheet, pictures, block), nothing)

    def _with_ranges(
        self, found: title_block.FoundTitleBlock, grids: Mapping[int, list[Grid]]
    ) -> title_block.FoundTitleBlock:
        """The block with the general tolerances of a table of ranges of size, whose lettering is claimed."""
        ranges = self._try("tables", lambda: find_ranges(each for own in grids.values() for each in own), None)
        self.claimed |= ranges.lettering if ranges else frozenset()
        return replace(found, block=with_ranges(found.block, ranges))

    def _with_plus_minus(self, sheet: Sheet) -> Sheet:
        return attempt("overprinted signs", lambda: with_plus_minus(sheet), sheet, self.warnings)

    def _grids(self, sheet: Sheet) -> list[Grid]:
        nothing: list[Grid] = []
        grids = self._try("ruled cells", lambda: find_grids(sheet), nothing)
        if left_out := sum(grid.left_out for grid in grids):
            self.warnings.append(
                f"page {sheet.page}: {count_of(left_out, 'ruled cell')} with texts are not read: there are too many on the page"
            )
        return grids

    def _zones(self, sheet: Sheet) -> frozenset[str]:
        nothing: frozenset[str] = frozenset()
        return self._try("zones of the border", lambda: zone_texts(sheet), nothing)

    def _textures(self, sheet: Sheet) -> frozenset[str]:
        nothing: frozenset[str] = frozenset()
        return self._try("texture signs", lambda: lettering.texture_values(sheet), nothing)

    def _dimensions(self, block: title_block.FoundTitleBlock | None) -> dict[int, list[Dimensioning]]:
        """Of each sheet by page: what the file itself calls dimensions, else what its arrows and ordinates say."""
        numbers = count(1)
        stated = stated_per_point(self._stated_unit, block.block.fields.get("scale") if block else None)
        found: dict[int, list[Dimensioning]] = {}
        for sheet in self.drawn:
            per_unit = stated if sheet.unit == "point" else None
            found[sheet.page] = sheet.dimensions or self._found_dimensions(sheet, per_unit, numbers)
        return found

    def _found_dimensions(self, sheet: Sheet, per_unit: float | None, numbers: Iterator[int]) -> list[Dimensioning]:
        found: list[Dimensioning] = self._try(
            "dimensions", lambda: dimensioning.find_dimensions(sheet, self.lettered[sheet.page], per_unit), []
        )
        for dimension in found:
            dimension.id = f"dimension-{next(numbers)}"
        return found

    def _views(self, dimensions: dict[int, list[Dimensioning]]) -> None:
        """Beside each sheet what its views are and how large: its viewports, else outlines that are dimensioned."""
        of_viewports = views_of_viewports(self.entities)
        for sheet in self.all:
            own = dimensions.get(sheet.page, [])
            outlined, outside = self._outlined_views(sheet, own)
            self.outside |= {source for each in own if each.id in outside for source in (each.id, *each.sources)}
            views = of_viewports.get(sheet.page, []) or outlined
            if views:
                sheet.further["views"] = views

    def _outlined_views(
        self, sheet: Sheet, dimensions: list[Dimensioning]
    ) -> tuple[list[dict[str, Any]], frozenset[str]]:
        return self._try("views", lambda: find_views(sheet, dimensions), _NO_VIEWS) if dimensions else _NO_VIEWS

    def _context(
        self,
        general: FoundNotes | None,
        block: title_block.FoundTitleBlock | None,
        dimensions: dict[int, list[Dimensioning]],
    ) -> Context:
        """What the whole sheet says for every callout of it."""
        numbers = count(1)
        statements = [note.text for note in general.notes.items] if general else []
        statements += [text.text for sheet in self.sheets for text in sheet.texts if text.text.lstrip().startswith("*")]
        statements += [f"units {block.block.fields['units']}"] if block and "units" in block.block.fields else []
        texts = [text.text for sheet in self.sheets for text in sheet.texts if text.id not in self.claimed]
        context = context_of(statements, texts=texts, number=lambda: f"callout-{next(numbers)}")
        if self._find_units(context, block, dimensions):
            context = replace(context, unit=None)
        return context if context.unit else replace(context, unit=self._common_unit())

    def _find_units(
        self,
        context: Context,
        block: title_block.FoundTitleBlock | None,
        dimensions: dict[int, list[Dimensioning]],
    ) -> bool:
        """The scale and the unit of the dimensions of each sheet of a PDF, whose own unit is the point; whether any speaks against
        what is stated: then it has neither."""
        is_contradicted = False
        stated = SheetUnit(context.unit, "stated") if context.unit else None
        stated = stated or self._stated_unit
        scale = block.block.fields.get("scale") if block else None
        for sheet in self.drawn:
            if sheet.unit != "point":
                continue
            agreed = common_scale(dimensions[sheet.page])
            by_scale = unit_by_scale(agreed.printed_per_unit, scale) if agreed else None
            unit = stated or by_scale
            if stated and by_scale and stated.name != by_scale.name:
                self.warnings.append(f"page {sheet.page}: {contradiction(stated, by_scale, scale or '')}")
                is_contradicted = True
            elif unit is not None:
                self.units[sheet.page] = unit
                sheet.further |= scale_record(unit, agreed.printed_per_unit if agreed else None)
        return is_contradicted

    @cached_property
    def _stated_unit(self) -> SheetUnit | None:
        """The unit of length that the lettering of all sheets states."""
        return stated_unit(text.text for sheet in self.sheets for text in sheet.texts)

    def _common_unit(self) -> Unit | None:
        """The unit of all sheets whose unit is known; None where they differ."""
        names = {unit.name for unit in self.units.values()}
        return names.pop() if len(names) == 1 else None

    def _callouts(self, dimensions: dict[int, list[Dimensioning]], context: Context) -> Iterator[Callout]:
        everywhere = [text.text for sheet in self.drawn for text in sheet.texts]
        for sheet in self.drawn:
            labels = with_sizes_apart(with_repeats_apart(self._labels(sheet, dimensions[sheet.page])))
            self.warnings += warnings_of_second_units(labels, sheet.page)
            labels = with_counts_joined(with_deviations_joined(without_second_units(labels)))
            labels = with_centred_words_joined(with_basic_words_joined(labels), sheet.texts)
            read = self._read(labels, context)
            found = without_outside_diameters(without_size_ranges(read), self.outside)
            own = [text.text for text in sheet.texts]
            yield from without_designators(without_counted_sizes(found, own), own, everywhere)

    def _called_notes(self, general: FoundNotes | None, context: Context) -> Iterator[Callout]:
        if general is None:
            return
        called = called_labels(general.notes, self.sheets, context, general.claimed)
        yield from self._read([*called, *self.framed], context)

    def _called_cells(self, block: title_block.FoundTitleBlock | None, context: Context) -> list[Callout]:
        return self._read(called_cells(self.sheets, context, block.claimed), context) if block else []

    def _frames(self, sheet: Sheet, names: frozenset[str]) -> list[Label]:
        return self._try("frames in notes", lambda: lettering.find_frames(sheet, names), [])

    def _framed(self, sheet: Sheet, names: frozenset[str]) -> frozenset[str]:
        return self._try("frames in forms", lambda: lettering.framed_texts(sheet, names), _NO_TEXTS)

    def _read(self, labels: Iterable[Label], context: Context) -> list[Callout]:
        """The callouts of labels; a label that fails costs its own alone."""
        found: list[Callout] = []
        left = deque(labels)

        def read_left() -> None:
            while left and not self._is_late():
                for _ in range(min(LABELS_AT_ONCE, len(left))):
                    found.extend(extract_callouts(left.popleft(), context))

        while left:
            was_late = self._is_late()
            self._try("callouts", read_left, None)
            if was_late:
                break
        return found

    def _lettered(self, sheet: Sheet) -> list[Label]:
        return self._try("lettering", lambda: lettering.join_texts(sheet, self.claimed), [])

    def _labels(self, sheet: Sheet, dimensions: Sequence[Dimensioning]) -> list[Label]:
        known = self.lettered[sheet.page]
        found: list[Label] = self._try(
            "labels", lambda: lettering.find_labels(sheet, self.claimed, dimensions, known), []
        )
        return without_unread(found)

    def _structure(self, dimensions: dict[int, list[Dimensioning]]) -> dict[str, Any]:
        """What stands beside callouts and metadata: dimensions that were found, and the scale that they agree on."""
        drawn = [sheet for sheet in self.drawn if not sheet.dimensions and dimensions[sheet.page]]
        if not drawn:
            has_news = self.units or any("views" in sheet.further for sheet in self.all)
            return {"sheets": [sheet_record(sheet) for sheet in self.all]} if has_news else {}
        for sheet in drawn:
            agreed = common_scale(dimensions[sheet.page])
            if agreed is not None:
                sheet.further["printed_per_unit"] = {
                    "value": agreed.printed_per_unit, "spread": agreed.spread, "dimensions": agreed.count, "of": agreed.of,
                }  # fmt: skip
        return {
            "dimensions": [dimension_record(each) for found in dimensions.values() for each in found],
            "sheets": [sheet_record(sheet) for sheet in self.all],
        }


def _metadata(
    found: Tables,
    block: title_block.FoundTitleBlock | None,
    general: FoundNotes | None,
    absent: Mapping[str, Any] | None,
) -> DrawingMetadata | None:
    """What the sheet says about itself, and what of it is `absent`; None where it says nothing."""
    others = [NamedTable.model_validate(table.model_dump(exclude_none=True)) for table in found.others]
    title = block.block if block else None
    if title is not None and general is not None:
        title = title_block.with_notes(title, general_statements(general.notes))
    metadata = DrawingMetadata(
        title_block=title,
        bom=_merged(found.bom),
        revisions=_merged(found.revisions),
        notes=general.notes if general else None,
        tables=others or None,
    )
    if absent:
        return metadata.model_copy(update={"absent": absent})
    has_any = any((metadata.title_block, metadata.bom, metadata.revisions, metadata.notes, metadata.tables))
    return metadata if has_any else None


def _merged(found: Sequence[Table]) -> Table | None:
    """Several parts lists as one: the columns of all, the rows of all; `parts` says which rows are whose."""
    if len(found) <= 1:
        return found[0] if found else None
    columns = list(dict.fromkeys(column for table in found for column in table.columns))
    parts, first = [], 0
    for table in found:
        further = {name: value for name, value in (table.model_extra or {}).items() if value is not None}
        parts.append({"columns": table.columns, "first_row": first, "rows": len(table.rows), **further})
        first += len(table.rows)
    return Table(
        columns=columns,
        rows=[row for table in found for row in table.rows],
        confidence=min(table.confidence for table in found),
        sources=[source for table in found for source in table.sources or ()],
        parts=parts,
    )
