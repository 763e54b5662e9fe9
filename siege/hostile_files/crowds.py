"""Files of a million parts. Each is made for a scale between 0 and 1."""

from __future__ import annotations

from siege.hostile_files.writers import (
    MILLION,
    SVG,
    diagram,
    dxf,
    page,
    scaled,
    step,
    vertex,
)


def many_points(scale: float) -> bytes:
    """A million points of DXF."""
    return dxf("".join(f"0\nPOINT\n10\n{n}\n20\n1\n" for n in range(scaled(scale, MILLION))))


def many_texts(scale: float) -> bytes:
    """Half a million texts that all mean something."""
    return dxf("".join(f"0\nTEXT\n10\n{n}\n20\n1\n40\n3\n1\nM8x{n}\n" for n in range(scaled(scale, MILLION // 2))))


def many_paths(scale: float) -> bytes:
    return (SVG + '<path d="M0 0h9"/>' * scaled(scale, MILLION) + "</svg>").encode()


def many_segments(scale: float) -> bytes:
    """A path of ten million segments."""
    return (SVG + '<path d="M0 0' + "h1" * scaled(scale, 10 * MILLION) + '"/></svg>').encode()


def many_strokes(scale: float) -> bytes:
    """A million strokes of PDF that all differ."""
    return page(b"".join(b"%d 0 m 1 9 l S\n" % n for n in range(scaled(scale, MILLION))))


def many_words(scale: float) -> bytes:
    words = b"".join(
        b"1 0 0 1 %d %d Tm (M8x%d) Tj " % (n % 800, n % 500, n) for n in range(scaled(scale, MILLION // 2))
    )
    font = b"/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>"
    return page(b"BT /F 2 Tf " + words + b"ET", font)


def many_cells(scale: float) -> bytes:
    """As many cells as fit, all in one place."""
    return diagram("".join(vertex(f"c{n}") for n in range(scaled(scale, 200_000))))


def many_entities(scale: float) -> bytes:
    """Half a million points of Part 21 that nothing refers to."""
    return step("".join(f"#{n}=CARTESIAN_POINT('',({n}.,0.,0.));" for n in range(1, scaled(scale, MILLION // 2))))


def one_list(scale: float) -> bytes:
    """A shell of a million faces that do not exist."""
    names = ",".join(f"#{n}" for n in range(2, scaled(scale, 2 * MILLION)))
    return step(f"#1=CLOSED_SHELL('',({names}));")
