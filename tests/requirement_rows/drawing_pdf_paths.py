"""Vector paths of PDF pages, and signs that are drawn as strokes."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "issue 3: vector paths of a PDF page",
        {
            "pdf-paths.frame": "Paths are in points from the lower left of the page as it is displayed, whatever its /Rotate.",
            "pdf-paths.circles": "Circles come back from two or four Bézier curves and from chains of chords, rounded ones too.",
            "pdf-paths.polygons": "Hexagons, squares and large octagons are no circles.",
            "pdf-paths.arcs": "Arcs come back from single curves and from chords between straight pieces of one path.",
            "pdf-paths.ellipses": "An ellipse is an ellipse with its half axes; a free curve stays a Bézier curve.",
            "pdf-paths.entities": "Entities are lines, polylines, rectangles, circles, arcs, ellipses, curves and fills; strokes name theirs by place; a line drawn there and back is one.",
            "pdf-paths.style": "Colour, width, dash pattern and layer of a path are its entities'.",
            "pdf-paths.fills": "Filled outlines are fills, thin bars are lines, white masks are marked and no fills, and a white outline of one is no stroke.",
            "pdf-paths.dark-ground": "White fills on a page that is painted dark all over are drawn, and no masks; on white paper they are masks.",
            "pdf-paths.limits": "Entities over the limit are left out with a warning; their strokes stay.",
            "pdf-paths.damage": "Impossible coordinates and paths off the page are left out and counted; none of them raises.",
        },
    ),
    *rows(
        "issue 3: signs drawn as strokes",
        {
            "strokes.signs": "Ø ↧ ⌴ ⌵ □ ± ° √ and brackets are recognised at any angle and in every style that exporters draw them in.",
            "strokes.together": "Several signs in front of one number are all found.",
            "strokes.circled": "A letter in a circle is a sign in line with a number, and none when it stands alone.",
            "strokes.characteristics": "The signs of geometric characteristics are recognised in cells of a frame.",
            "strokes.geometry": "Holes with centre lines, hatched ones, hatches, tables and slots are no signs.",
            "strokes.lettering": "Strokes of letters that the text already says are no signs.",
            "strokes.boxed": "A rectangle tightly round a text is its box; a cell far larger than it is not.",
            "strokes.struck": "A line through a value strikes it; a line below does not.",
            "strokes.many": "A sheet with a hundred thousand strokes is searched in seconds.",
            "strokes.damage": "Numbers that are not finite and empty sheets give no signs and no error.",
        },
    ),
)
