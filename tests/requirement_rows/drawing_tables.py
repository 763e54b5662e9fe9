"""Ruled cells, parts lists, revisions and other tables of a drawing."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "issue 3: title_block, ruled cells",
        {
            "drawing.cells": "Rules enclose cells, however they are drawn: strokes, doubled lines, filled bars, with gaps and overshoots.",
            "drawing.cells-turned": "A block that is turned by a quarter or a half has the same cells, rows and columns.",
            "drawing.cells-neighbours": "The cells left of, right of, above and below a cell are told as the block reads.",
            "drawing.cells-glued": "A text that was written over two ruled cells is cut where the rule runs between its letters.",
            "drawing.cells-capped": "A hatch or a perforated plate of a hundred thousand strokes is read in seconds.",
            "drawing.frame": "The frame of a sheet is found, and the letters and numbers of its zones are known.",
        },
    ),
    *rows(
        "issue 3: bom and revisions",
        {
            "tables.ruled": "A ruled parts list or revision table reads back exactly, headed at either end, in any quarter.",
            "tables.left-out": "Ruled cells with texts of which there are too many are counted in a warning; empty ones of a mesh cost a table none of its own.",
            "tables.unruled": "Columns without rules read back exactly under a header of known words.",
            "tables.row-rules": "Rows without rules between them begin at their item numbers; wrapped lines are joined.",
            "tables.sections": "Headings among the rows, underlined or in the middle of their column, are sections of a list and no rows.",
            "tables.languages": "Headers in English, German, French, Spanish, Italian and in two languages at once are known.",
            "tables.changes": "A table of changes has a row per change and marks that count one way; lists of documents and of parts are none.",
            "tables.change-forms": "One change is read in the forms of ASME, DIN, ESKD, GB, JIS and of offices of ten languages, headed at either end.",
            "tables.without-heads": "Rows without headings are changes where each has the next letter, a date and words; under a title for changes one row is enough.",
            "tables.margin-strip": "Cells of a strip in the margin, whose rows are not those of the list beside them, are no column of it.",
            "tables.beside-heads": "A change whose headings stand in a column of their own is read from beside them; labels of a block are none.",
            "tables.drawn-dashes": "Bars drawn in a place of a row, short or in its middle, are dashes; other strokes say nothing.",
            "tables.meanings": "A table tells what its columns hold, whatever their headings call it.",
            "tables.form": "Labels of title-block fields among the rows make it a form: no parts list and no other table.",
            "tables.native": "A table that the file calls a table, and one written with tabs, read back exactly.",
            "tables.attributes": "Block references in a column are the rows of a table; numbered attributes of one block are rows too.",
            "tables.continued": "Rows in the same columns whose numbers go on are the same list, on another sheet too.",
            "tables.quantities": "Rows of words, a symbol and a value are a table of quantities in any language; the rows of roles are none.",
            "tables.not-a-bom": "Tolerance, hole and gear tables and the cells of a title block are no parts list.",
            "tables.unknown": "A ruled table is one whatever heads it, from three rows and columns or where its first row names sizes; its texts call nothing.",
            "tables.header-only": "A header without rows is no table, and nothing is invented: lettering that cannot be seen is in no cell.",
            "tables.claimed": "The texts of a table are told, so that nobody else reads them.",
            "tables.hostile": "Texts and rules at any place, of any size, are read without an error.",
        },
    ),
)
