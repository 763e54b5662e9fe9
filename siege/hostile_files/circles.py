"""Files whose parts refer to themselves. Each is made for a scale between 0 and 1."""

from __future__ import annotations

from siege.hostile_files.writers import (
    SVG,
    block,
    diagram,
    dxf,
    insert,
    page,
    pdf,
    step,
    stream,
    vertex,
)


def cyclic_blocks(_: float) -> bytes:
    """A in B, B in A, and C in itself."""
    blocks = block("a", insert("b")) + block("b", insert("a")) + block("c", insert("c") * 9)
    return dxf("".join(insert(name) for name in "abc"), blocks)


def cyclic_uses(_: float) -> bytes:
    groups = '<g id="a"><use xlink:href="#b"/></g><g id="b"><use xlink:href="#a"/></g><use id="c" xlink:href="#c"/>'
    return f'{SVG}{groups}<linearGradient id="l" xlink:href="#l"/><path fill="url(#l)" d="M0 0h9"/></svg>'.encode()


def cyclic_cells(_: float) -> bytes:
    cells = vertex("a", "b") + vertex("b", "a") + vertex("c", "c")
    ends = '<mxCell id="e" edge="1" parent="e" source="e" target="e"><mxGeometry as="geometry"/></mxCell>'
    return diagram(cells + ends)


def cyclic_products(_: float) -> bytes:
    """A product in itself, and placements that refer to each other (ISO 10303-44)."""
    product = "#1=PRODUCT('p','p','',());#2=PRODUCT_DEFINITION_FORMATION('','',#1);#3=PRODUCT_DEFINITION('','',#2,$);"
    usage = "#4=NEXT_ASSEMBLY_USAGE_OCCURRENCE('1','','',#3,#3,$);#5=SHAPE_REPRESENTATION('',(#6,#5),#5);"
    items = "#6=MAPPED_ITEM('',#7,#6);#7=REPRESENTATION_MAP(#6,#5);#8=PRODUCT_DEFINITION_SHAPE('','',#3);"
    return step(product + usage + items + "#9=SHAPE_DEFINITION_REPRESENTATION(#8,#5);")


def cyclic_solid(_: float) -> bytes:
    """A shell whose faces are the shell."""
    return step(
        "#1=MANIFOLD_SOLID_BREP('',#2);#2=CLOSED_SHELL('',(#2,#3));#3=ADVANCED_FACE('',(#3),#3,.T.);"
        "#4=ADVANCED_BREP_SHAPE_REPRESENTATION('',(#1,#4),#4);"
    )


def cyclic_pages(_: float) -> bytes:
    """Pages whose child is their parent, which says that it is a page."""
    return pdf(b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 2/Parent 2 0 R>>")


def cyclic_forms(_: float) -> bytes:
    """A form that draws itself."""
    form = stream(b"/X Do /X Do", b"/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</X 5 0 R>>>>")
    return page(b"/X Do", b"/Resources<</XObject<</X 5 0 R>>>>", form)


def own_xref(_: float) -> bytes:
    """A cross-reference table whose /Prev is itself, with an object stream in itself (ISO 32000-1, 7.5)."""
    body = b"%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 1 0 R>>\nendobj\n"
    body += b"2 0 obj\n<</Type/ObjStm/N 9/First 0/Extends 2 0 R/Length 2 0 R>>stream\n2 0\nendstream\nendobj\n"
    table = b"xref\n0 3\n0000000000 65535 f \n0000000009 00000 n \n0000000056 00000 n \n"
    trailer = b"trailer\n<</Size 3/Root 1 0 R/Prev %d/XRefStm %d>>\nstartxref\n%d\n%%%%EOF\n"
    return body + table + trailer % (len(body), len(body), len(body))


def own_length(_: float) -> bytes:
    """A stream whose length is the stream."""
    return pdf(
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox 3 0 R/Contents 4 0 R>>",
        b"<</Length 4 0 R/Filter 4 0 R>>stream\n0 0 m 9 9 l S\nendstream",
    )
