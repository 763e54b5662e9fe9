"""What the DXF reader reads, and what it does with files that are damaged."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "formats: DXF",
        {
            "dxf.versions": "R12 to R2018, ASCII and binary, give the same entities with the same coordinates.",
            "dxf.layouts": "Model space and every paper-space layout with content are a sheet each, by name and in the order of tabs.",
            "dxf.curves": "Lines, arcs, bulges, ellipses, splines and hatches lie where ezdxf puts them.",
            "dxf.ocs": "Entities with negative or tilted extrusion are told in world coordinates.",
            "dxf.blocks-absent": "A reference to a block that the file does not have, or to another drawing, is counted and named in a warning.",
            "dxf.blocks": "A block reference is an entity, and so is each part it draws, moved, scaled, mirrored, nested and arrayed as ezdxf explodes it.",
            "dxf.bounded": "Blocks within themselves and vast arrays end at a limit, with a warning.",
            "dxf.layers": "Layers tell colour, linetype, on, frozen, locked and plotted; what lies on a hidden layer is marked and not drawn.",
            "dxf.units": "Units come from $INSUNITS, else are assumed from $MEASUREMENT, with a warning.",
            "dxf.code-page": "Letters in another code page than the header says are read in theirs; where none fits, a warning says so.",
            "dxf.text-codes": "Control codes, unicode escapes, inline codes, stacks and symbol fonts are resolved to what a person reads.",
            "dxf.attributes": "Attributes have tag, prompt and the reference as owner; constant definitions are text.",
            "dxf.dimension-text": "A dimension's text is its block's, else its value formatted by style, overrides and user text.",
            "dxf.dimension-values": "Dimensions of every kind have the value that they measure.",
            "dxf.tolerance-frame": "A TOLERANCE is cells separated by bars, with signs for letters of the GD&T font.",
            "dxf.leaders": "The text of a MULTILEADER is read with its leader lines.",
            "dxf.tables": "An ACAD_TABLE gives its cells by row and column.",
            "dxf.dimension-signs": "A sign that the block of a dimension draws as strokes is that of the user's text, of the kind of dimension, or of the style's tolerance.",
            "dxf.drawn-signs": "A sign that is drawn over a gap of a text is put back into the text, which is marked as mended; one beside it is of it.",
            "dxf.damaged": "A damaged file is recovered, or read as far as it goes, with a warning.",
            "dxf.hostile": "Cut, changed or nonsensical files are documents or parse errors, and nothing else.",
        },
    ),
)
