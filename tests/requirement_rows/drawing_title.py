"""The title block and the notes of a drawing."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "issue 3: Meaning, title_block",
        {
            "title.printed": "A field whose label is small lettering over larger in a cell of the block, in no known language, is reported under the label as printed.",
            "title.pictured": "A company that no text states, where a picture stands in the block, is reported as absent with the reason and the picture.",
            "title.form": "A block of which no label is known gives its pairs of label and value under the printed labels, and names what a value's form tells.",
            "title.row-of-labels": "The last of a row of labels in one lettering is a label, though its word is not known.",
            "title.cells": "A label's value is read from its own ruled cell, or from the cell to the right or below.",
            "title.roles": "Who drew, checked and approved, and when, is read from the rows and columns of a signature matrix.",
            "title.attribs": "The attributes of the inserted title block are read by tag or prompt; section marks are none.",
            "title.open": "Labels above or left of values are read where nothing is ruled; letterheads and books have no title block.",
            "title.languages": "Labels are read in English, German, French, Spanish, Italian, Russian and Polish, and in two languages at once.",
            "title.company": "A company without a label is told by its legal form, by its address, or as the only large name over or under the title.",
            "title.standard-form": "The form of a standard is told by its words or by its cells; what stands in a cell needs no label.",
            "title.typical": "Values without labels are read from typical places only when the place or their form tells the field.",
            "title.empty": "An empty cell gives nothing: no neighbour's label, template text or form's sentence is a value.",
            "title.properties": "The rows of a table of properties, of a table of filled cells and of a numbered list are no fields, and a table alone is no title block.",
            "title.place-tolerances": "Deviations by decimal places are the tolerances of a block, in one cell or row by row, where no label names them.",
            "title.first-issue": "A dash is the revision of a first issue where the sheet follows ASME, and an empty field elsewhere.",
            "title.tolerances": "The lines of a tolerance box become one value, parted by semicolons.",
            "title.sheets": "The first sheet with a full block is read; sheet number and count become `1 of 2`.",
            "title.plain": "Plain lines at the foot of a sheet are a title block when they state scale or paper and another field.",
            "title.confidence": "Every field has evidence, a confidence and the ids of its texts; stronger evidence gives more confidence.",
            "title.hostile": "Any lettering at any place gives a block or none, without failing.",
        },
    ),
    *rows(
        "issue 3: Meaning, notes",
        {
            "notes.numbered": "Numbered notes are read with their further lines, in every usual way of numbering, number and text apart or not.",
            "notes.series": "Letters before numbers that count up (M1, M2, Q1) number notes, each series for itself, with `item` M1.",
            "notes.items": "Lettered items are notes of their own, with the number of their note and `item` 5a; those of a list that begins again within a note 5.1.",
            "notes.bullets": "A sign that repeats before the lines of a column sets off a note each, with a heading over them or without one.",
            "notes.turned": "A property notice that reads in another direction than the rest of the sheet is a note of kind `notice`.",
            "notes.unnumbered": "Lines under a heading, and sentences about the whole part, are notes; their number is their order.",
            "notes.marks": "A number before lines numbers notes in any writing (`[1]`, `1/`, `II.`, `三、`, `A.`), where it counts up from line to line.",
            "notes.headings": "Few words over a list are its heading in any language; the usual headings and general statements are known in 26.",
            "notes.local": "A sentence of eight words or more in open space is a note in any language, and its lettering is read for callouts as well.",
            "notes.statements": "Three or more lines below each other that state something of a named subject each are notes, with the lines set in under them.",
            "notes.footnotes": "Lines in open space that begin with asterisks are notes.",
            "notes.unread_marks": "Text in line with the notes of a list over its second note and below its last one is a note, where its number cannot be read.",
            "notes.columns": "A second column or sheet goes on counting; what stands on several sheets is listed once.",
            "notes.none": "Balloons, rows, advertisements, callouts and pages of a book are no notes.",
            "notes.general": "What notes say on tolerances, finish and units is told apart from the block's own fields.",
        },
    ),
    *rows(
        "knowledge is data",
        {
            "vocabulary.languages": "The terms of ISO 7200 are known in more than twenty languages; spread signs of Chinese, Japanese and Korean are one word.",
            "vocabulary.files": "The words of drawings are a file per language with its source, in the wheel and in the images.",
            "vocabulary.language": "A language is added by a file, without a line of code.",
            "vocabulary.malformed": "A malformed file, an unknown key or a label of two keys is refused with what to do.",
            "vocabulary.records": "A title-block key and a kind of table are a record each; a forgotten part is named with what to add.",
        },
    ),
)
