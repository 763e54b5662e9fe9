"""Files whose parts stand in each other, deeper than any stack. Each is made for a scale between 0 and 1."""

from __future__ import annotations

from siege.hostile_files.writers import (
    MILLION,
    SVG,
    block,
    diagram,
    dxf,
    insert,
    page,
    scaled,
    step,
    vertex,
)


def deep_svg(scale: float) -> bytes:
    depth = scaled(scale, 3 * MILLION)
    return (SVG + "<g>" * depth + '<path d="M0 0h9"/>' + "</g>" * depth + "</svg>").encode()


def deep_diagram(scale: float) -> bytes:
    """Each cell in the one before."""
    return diagram("".join(vertex(f"c{n}", f"c{n - 1}" if n else "1") for n in range(scaled(scale, 150_000))))


def deep_blocks(scale: float) -> bytes:
    """Each block in the one before."""
    count = scaled(scale, 300_000)
    return dxf(insert(f"b{count - 1}"), "".join(block(f"b{n}", insert(f"b{n - 1}")) for n in range(1, count)))


def deep_step(scale: float) -> bytes:
    """A list of lists of lists (ISO 10303-21, 7.3)."""
    depth = scaled(scale, 10 * MILLION)
    return step("#1=CARTESIAN_POINT(''," + "(" * depth + "0." + ")" * depth + ");")


def deep_pdf(scale: float) -> bytes:
    """An array of arrays of arrays."""
    depth = scaled(scale, 10 * MILLION)
    return page(b"0 0 m 9 9 l S", b"/Annots" + b"[" * depth + b"]" * depth)


def deep_operands(scale: float) -> bytes:
    """Saved states that are never restored."""
    return page(b"q 1 0 0 1 1 1 cm " * scaled(scale, MILLION) + b"0 0 m 9 9 l S")
