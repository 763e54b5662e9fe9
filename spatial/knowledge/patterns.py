"""Wordings that are looked for inside lettering, as regular expressions that are joined from all languages.

Each key is a line of the section `pattern` of the files in `labels/`. `alternatives` gives the fragments of all languages as one group.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from spatial.knowledge import vocabulary

MEANINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        # what a title block says beside its fields
        "tolerance_box": "how the lines of a tolerance box begin, and what the form says there",
        "notice": "what property notices say",
        "permitted": "how a short text ends that permits something on the part",
        "reservation": "how a maker says that what is drawn may change, or binds nobody",
        "owned_by": "before whose property a drawing is, in a property notice",
        "permitted_by": "before whose permission reproduction needs, in a notice",
        "of_group": "how a line begins that says to whom the company belongs that is named beside it",
        "school": "words of the names of schools, whose sheets are students' exercises",
        "owner_and": "between that name and what the notice goes on with",
        "owner_ends": "words with which a notice goes on behind that name",
        "program_maker": "makers of programs for drawings, which their templates name as owners",
        "advertisement": "what programs print about themselves",
        "template": "all that a template holds in an empty field",
        "template_begins": "how what a template holds in an empty field begins",
        "reference": "a reference that is the item's",
        "change_heading": "headings of the columns of a change history",
        "remarks": "the heading of a cell for remarks",
        "notes_begin": "how notes begin in a cell against the block",
        "name_goes_on": "how a line ends whose name goes on in the next",
        # forms of values
        "paper_orientation": "which side of the paper is up",
        "no_scale": "what stands for a scale that is none",
        "not_applicable": "what a drafter writes in a field that does not apply",
        "no_finish": "what a drafter writes in the field of the finish of a part that has none",
        "stands_elsewhere": "how a field begins whose values stand elsewhere",
        "in_table": "what a field refers to where a table of the sheet has a value for each of several parts",
        "count_of": "between the number of a sheet and the count of sheets",
        "sheets_stated": "the words of a cell that states the count of sheets and then the number of one, without them",
        "sheets": "sheets, after a count",
        "total_sheets": "sheets, after the count of all",
        "month": "how the names of months begin",
        "unit": "units of length, as a field states them",
        "mass_unit": "units of mass",
        "according_to": "before the standard that general tolerances follow",
        "unspecified": "before the standard that untoleranced sizes follow",
        "material": "what names a material",
        "material_anywhere": "the same in scripts without spaces",
        "company": "what names a company, a school or a society",
        "department": "how the name of a part of a company or a school begins",
        "company_anywhere": "the same in scripts without spaces",
        "trade": "what a firm deals in or is, before which its own name stands",
        # a sheet that states itself in plain lines
        "dimensions": "what has a unit: dimensions",
        "are": "between what has a unit and the unit",
        "unit_follows": "right before the unit",
        "length_unit": "units of length in a sentence",
        "is_behind": "the verb behind such a unit, written as one word with it",
        "stated_scale": "before a scale",
        "stated_size": "after a paper size",
        "stated_sheet": "before the number of a sheet",
        "stated_count": "between the number of a sheet and the count of sheets",
        "stated_tolerances": "before general tolerances",
        "stated_material": "before a material",
        "stated_projection": "the method of projection, as ISO 5456-2 names it",
        "stated_drawing": "before `no.` and the number of the drawing",
        "view_name": "what the name of a view, a section or a detail says (ISO 128-3)",
        # notes
        "note_mark": "before the number of a note",
        "range_to": "between the two bounds of a range of sizes",
        "note_subject": "before the heading of notes in English",
        "note_heading": "headings of notes",
        "predicate": "verbs of a sentence that says what something is, must be or may be",
        "pictured": "how a sentence says that it is about the picture and not about the part",
        "figure": "before the number of a figure in its caption",
        "ordered_first": "verbs that tell how to make the part and are never nouns, at the beginning of a text",
        "ordered_last": "the same at its end",
        "ordered": "the same anywhere in it",
        "imperative": "verbs that tell how to make the part and may also be nouns, at the beginning of a text",
        "definite": "words that may follow such a verb but are not found in names",
        "forbidden": "how a prohibition begins",
        "governed_by": "in a remark, words before the standard or drawing to follow",
        "places": "words for places, after the number of places that a remark is about",
        "answered": "words for yes, no and not, in a remark about a feature",
        "sides": "sides of a part, behind the holes that are on them",
        "approximately": "before or behind a value that is not exact",
        "thickness": "the thickness of the material",
        "width": "before the width of a feature",
        "teeth": "the number of teeth of a gear, before it",
        "copies": "all of a text that says how many are made",
        "unless": "what a heading of notes goes on with",
        "note_inline": "before a note without a list",
        "note_single": "headings of a single note",
        "signal_word": "words for a hazard, which are part of the warning under them (ISO 3864-2, ANSI Z535.4)",
        "line_goes_on": "how a line ends that goes on",
        "note_begins": "how a note begins and no line goes on",
        "whole_part": "what a sentence says that holds for the whole part",
        "general_tolerances": "what a note says about general tolerances, up to its figures",
        "surface_treatment": "before a surface treatment",
        "treated": "how a note begins that is a surface treatment",
        # tables
        "quantity_word": "what stands for a quantity",
    }
)
"""Key to what its fragments match; a new key is a line here and one in a file of `labels/`."""

_FRAGMENTS: Final = vocabulary.section("pattern", MEANINGS, "add it to MEANINGS in spatial/knowledge/patterns.py")


def alternatives(key: str) -> str:
    """The fragments of `key` in all languages, as one group that captures nothing."""
    return vocabulary.joined(fragments(key))


def fragments(key: str) -> list[str]:
    """The fragments of `key` in all languages."""
    return [fragment for own in _FRAGMENTS[key].values() for fragment in own]
