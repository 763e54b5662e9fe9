"""Files with numbers and characters that are none. Each is made for a scale between 0 and 1."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from siege.hostile_files.writers import (
    SVG,
    diagram,
    dxf,
    iges_line,
    page,
    scaled,
    step,
    stream,
    vertex,
)

NUMBERS: Final = ("nan", "inf", "-inf", "1e308", "-1e308", "1e999", "99999999999999999999999999", "1e-320", "", "0x7f")


def wild_dxf(_: float) -> bytes:
    kinds = ("LINE", "CIRCLE", "ARC", "ELLIPSE", "SPLINE", "TEXT", "HATCH", "DIMENSION", "INSERT")
    groups = "".join(f"{code}\n{{n}}\n" for code in (10, 20, 30, 11, 21, 31, 40, 41, 42, 50, 51, 70, 71))
    return dxf("".join(f"0\n{kind}\n1\nM8\n2\nx\n{groups.format(n=n)}" for kind in kinds for n in NUMBERS))


def wild_svg(_: float) -> bytes:
    shapes = (
        '<path d="M0 0L{n} {n}A{n} {n} 0 1 1 9 9C{n} 0 0 {n} 1 1z"/><circle cx="{n}" cy="1" r="{n}"/>'
        '<g transform="scale({n}) rotate({n})"><rect x="{n}" y="0" width="{n}" height="9"/></g>'
        '<text x="{n}" y="{n}" font-size="{n}">M8</text><line x1="0" y1="0" x2="{n}" y2="{n}" stroke-width="{n}"/>'
    )
    return (SVG + "".join(shapes.format(n=n) for n in NUMBERS) + "</svg>").encode()


def wild_diagram(_: float) -> bytes:
    boxes = [f'x="{n}" y="{n}" width="{n}" height="{n}"' for n in NUMBERS]
    return diagram("".join(vertex(f"c{place}", box=box) for place, box in enumerate(boxes)))


def wild_pdf(_: float) -> bytes:
    numbers = [*NUMBERS[3:7], "1" * 400, "." + "1" * 400]
    lines = "".join(
        f"q {n} 0 0 {n} {n} {n} cm 0 0 m {n} {n} l S {n} w [{n}] {n} d 0 0 {n} {n} re f Q\n" for n in numbers
    )
    return page(lines.encode(), b"/UserUnit 1e308/Rotate 99999999999")


def wild_step(_: float) -> bytes:
    """A sphere whose radius and place are no numbers, or too large ones."""
    lines = []
    for place, n in enumerate(("1.E308", "-1.E308", "1.E999", "NAN", "INF", "-1.E-320", "$", "*")):
        at = 100 * place + 1
        lines.append(f"#{at}=CARTESIAN_POINT('',({n},0.,{n}));#{at + 1}=DIRECTION('',({n},0.,0.));")
        lines.append(f"#{at + 2}=AXIS2_PLACEMENT_3D('',#{at},#{at + 1},#{at + 1});")
        lines.append(f"#{at + 3}=SPHERICAL_SURFACE('',#{at + 2},{n});#{at + 4}=VERTEX_POINT('',#{at});")
        lines.append(f"#{at + 5}=VERTEX_LOOP('',#{at + 4});#{at + 6}=FACE_BOUND('',#{at + 5},.T.);")
        lines.append(f"#{at + 7}=ADVANCED_FACE('',(#{at + 6}),#{at + 3},.T.);#{at + 8}=CLOSED_SHELL('',(#{at + 7}));")
        lines.append(f"#{at + 9}=MANIFOLD_SOLID_BREP('',#{at + 8});")
    return step("".join(lines))


def wild_iges(scale: float) -> bytes:
    """Entities whose parameters are at themselves, and whose numbers are none (IGES 5.3, 2.2)."""
    start, head = (
        iges_line("", "S", 1),
        iges_line("1H,,1H;,1Hx,1Hx,1Hx,1Hx,32,308,15,308,15,1Hx,1.,2,2HMM,1,1.;", "G", 1),
    )
    count = scaled(scale, 50_000)
    entries = "".join(
        iges_line(
            "".join(f"{value:>8}" for value in (kind, n + 1, 0, 0, 0, 2 * n + 1, 2 * n + 1, 0, 0)), "D", 2 * n + 1
        )
        + iges_line("".join(f"{value:>8}" for value in (kind, 99999999, -1, 1, 0, 0, 0, "", 0)), "D", 2 * n + 2)
        for n, kind in zip(range(count), _endless((124, 110, 144, 186, 514, 408, 308, 126, 128)), strict=False)
    )
    parameters = "".join(iges_line(f"{kind},1E999,NAN,{2 * n + 1},,;", "P", n + 1, 2 * n + 1) for n, kind in
                         zip(range(count), _endless((124, 110, 144, 186, 514, 408, 308, 126, 128)), strict=False))  # fmt: skip
    end = iges_line(f"S{1:>7}G{1:>7}D{2 * count:>7}P{count:>7}", "T", 1)
    return (start + head + entries + parameters + end).encode()


def _endless(values: tuple[int, ...]) -> Iterator[int]:
    while True:
        yield from values


def surrogates_dxf(_: float) -> bytes:
    texts = (r"\U+D800", r"\U+DFFF\U+D800", r"\U+0000M8", r"\M+1FFFF", "%%o%%99999", r"{\H99999999x;\f" + "x" * 9999)
    return dxf("".join(f"0\nMTEXT\n10\n0\n20\n0\n40\n3\n1\n{text}\n" for text in texts))


def surrogates_step(_: float) -> bytes:
    names = (r"\X2\D800\X0\ ", r"\X4\FFFFFFFF\X0\ ", r"\X2\D8", r"\X\0", r"\S\ ", r"\P?\ ", r"\X4\0000DFFF\X0\ ")
    return step("".join(f"#{n}=PRODUCT('{name}','{name}','',());" for n, name in enumerate(names, 1)))


def surrogates_svg(_: float) -> bytes:
    return f'{SVG}<text x="1" y="9">&#xD800;</text><text>&#0;</text></svg>'.encode()


def surrogates_diagram(_: float) -> bytes:
    label = "&lt;b&gt;&amp;#xD800;&amp;#0;&amp;#x110000;&lt;script&gt;&#10;"
    return diagram(vertex("a&#9;b", label=label)) + b"\xed\xa0\x80"


def surrogates_pdf(_: float) -> bytes:
    font = b"/Resources<</Font<</F<</Type/Font/Subtype/Type0/BaseFont/X/ToUnicode 5 0 R/Encoding/Identity-H>>>>>>"
    cmap = stream(
        b"begincmap 1 beginbfchar <0041> <D800> endbfchar 1 beginbfrange <0000> <FFFF> <D800> endbfrange endcmap"
    )
    return page(b"BT /F 9 Tf 9 9 Td <0041D800FFFF> Tj (\\377\\376\\330\\000) Tj ET", font, cmap)
