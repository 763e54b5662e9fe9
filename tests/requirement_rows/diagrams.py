"""Diagrams in every wrapping, plain SVG, and the pictures of both."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "issue 4: wrappings",
        {
            "diagram.wrappings": "The same diagram is the same page from every wrapping: XML, SVG content, PNG text chunks, compressed or not.",
            "diagram.pages-mixed": "Compressed and plain pages may be mixed in one file; a page that cannot be read is left out with a warning.",
            "diagram.checksums": "A wrong checksum of a PNG chunk or of deflated text is a warning where the text proves to be a diagram, else 422.",
            "diagram.corpus": "Diagrams of public projects are read completely: every node, label, box, edge, direction and container.",
        },
    ),
    *rows(
        "docs/formats.md: files that are cut off",
        {
            "extract.partial": "Of a file that is cut off, what is whole is a document with `partial` and a warning; half a model is refused.",
            "extract.partial-empty": "A file that is cut off before anything can be read is 422, which is not billed.",
        },
    ),
    *rows(
        "docs/formats.md: files in which nothing is",
        {
            "extract.empty": "Of every format: sheets and pages on which nothing is are a document with the same warning; a file without a shape, a sheet or a page is refused.",
        },
    ),
    *rows(
        "issue 4: nodes",
        {
            "diagram.labels": "Entities are decoded, br and blocks break lines, script and style are silent, broken HTML is still text.",
            "diagram.placeholders": "Placeholders come from the cell, what it is in, its layer, the root, the page and the file; unknown ones stay.",
            "diagram.shapes": "A shape is named by its style, or by what its style implies; stencils and mxgraph names are kept.",
            "diagram.boxes": "Nested groups, lanes, collapsed containers, ports and rotated shapes have the box that is drawn.",
            "diagram.containers": "Parents, children and containers are those of the page.",
            "diagram.properties": "Links, tooltips and custom properties come from UserObject and object.",
            "diagram.layers": "Layers are told; hidden layers and cells are kept, marked, and outside relations and graph.",
            "diagram.style": "Colours, letter size and alignment of a style are told in draw.io's words.",
        },
    ),
    *rows(
        "issue 4: edges",
        {
            "diagram.edge-direction": "Direction is what the arrowheads say.",
            "diagram.edge-labels": "An edge's label is its own text and its label cells, in order.",
            "diagram.edge-kinds": "Connector, dashes and absolute waypoints are told, inside containers too.",
            "diagram.edge-loose": "A loose end has its point; near a shape it is attached to it and marked as inferred.",
            "diagram.edge-ends": "Edges may end on edges; an end at nothing is null, with a warning.",
        },
    ),
    *rows(
        "docs/diagrams.md: Relations, Graph",
        {
            "diagram.relations-rule": "Relations are those of the written rule, as a pair-by-pair reading of it finds them.",
            "diagram.graph-rule": "The graph is that of the written rule, as a naive walk finds it.",
        },
    ),
    *rows(
        "issue 4: safe by construction",
        {
            "diagram.damage": "Missing parents, ids twice, circles of parents, edges to nowhere and numbers that are none give warnings, never an error.",
            "diagram.no-entities": "No DTD is read, no entity is resolved, nothing is fetched.",
            "diagram.bombs": "What inflates, nests or multiplies beyond bounds is refused or cut before it takes memory.",
            "diagram.fuzz": "Whatever the bytes, there is a document, a ParseError or an UnsupportedFileType.",
        },
    ),
    *rows(
        "issue 4: plain SVG",
        {
            "svg.damaged-numbers": "A shape or a viewBox with a number that is none, or that no drawing has, is left out with a warning; no number becomes 0.",
            "svg.transforms": "Geometry is in pixels after all transforms, viewBox and nested viewports included.",
            "svg.shapes": "Every basic shape and path command has its exact geometry.",
            "svg.decimals": "Coordinates are rounded to thousandths as decimal arithmetic rounds them, however many and however large they are.",
            "svg.use": "use, symbol and defs are resolved; circles of use end.",
            "svg.styles": "Attributes, CSS rules, inline and inherited style apply in the order of CSS.",
            "svg.hostile-styles": "Style sheets are bounded in size, selectors, nesting and steps, fetch nothing, and what is left out is a warning.",
            "svg.extents": "The box of a drawing is what is seen of it, within clips and viewports; the size that the file declares stands in its sheet.",
            "svg.text": "Text and tspans are annotations with place, angle and size.",
            "svg.visibility": "What is not seen is kept and marked; clips are noted.",
            "svg.layers": "Inkscape layers and named groups are layers.",
            "svg.units": "Width and height in mm, in, pt and px are scaled to pixels and told as written.",
        },
    ),
    *rows(
        "issue 4: spatial preview",
        {
            "preview.diagram": "A picture of a diagram shows every visible shape, label and connector, and is valid XML whatever the labels.",
            "preview.svg": "A picture of an SVG is drawn from its entities.",
            "cli.preview": "spatial preview writes a page as SVG, a model as PNG, SVG or binary glTF, and says in one sentence why it cannot.",
        },
    ),
    *rows(
        "docs/formats.md: points",
        {"diagram.points": "Points of a diagram lie on the outlines of its shapes."},
    ),
)
