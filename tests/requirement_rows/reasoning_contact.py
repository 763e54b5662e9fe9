"""Shapes, fit, stability and placement."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "issue: shapes of scene objects",
        {
            "shape.distance": "The distance of two convex shapes is exact, whichever is first and however both are turned.",
            "shape.penetration": "The penetration of two convex shapes is the shortest translation that separates them.",
            "shape.exact": "Boxes, cylinders and spheres are recognised exactly, from faces or from points on them.",
            "shape.bound": "The hull of a sample has a bound of its error, and is never taken as exact.",
        },
    ),
)
