"""What the PDF reader promises of what lies on a page besides its content, and of hostile files."""

from __future__ import annotations

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = rows(
    "issue 3: reading PDF",
    {
        "pdf.marks": "Annotations, form fields and AutoCAD's comments on its own strokes are read as text and say so.",
        "pdf.hidden-layers": "Text on layers that are switched off is listed as invisible, and their geometry is said to be missing.",
        "pdf.partial-layer": "Invisible text over drawn lettering that leaves some of it out has unknown characters in its gaps.",
        "pdf.facets": "Letters of triangles that are filled and stroked are outlines.",
        "pdf.unseen": "Text that is painted over with white or an opaque rectangle of any colour, cut away by a clipping path or white on white is listed as invisible, with a warning; what is drawn wholly under white, and white lines on white, are no geometry of the sheet.",
        "pdf.pictured": "What lies wholly under an opaque picture that is painted later, a stamp for one, is not read, and a warning names the picture; what shows through it, lies beside it or is the text of a scan is read as before, as is what is typed over it afterwards.",
        "pdf.pictured-lettering": "A picture that may show lettering, a form or list in a corner of the frame or views that are pixels, is named in a warning with its place; logos, shaded views and grounds of what is drawn are not.",
        "pdf.images": "Images are listed by their corners; what covers a page is told without counting overlaps twice.",
        "pdf.hostile": "Recursion, impossible numbers and floods of pages, operators or annotations end in a drawing or a parse error.",
    },
)
