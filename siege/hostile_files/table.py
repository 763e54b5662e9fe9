"""Every hostile file and every hostile name.

A scale of 1 is the largest file that the service takes; the suite asks for small ones.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from siege.hostile_files import bombs, circles, crowds, nests, pdf_bombs, values
from siege.hostile_files.writers import STEP_HEAD, SVG, iges_line
from spatial.contract import limits

Make = Callable[[float], bytes]
"""Makes a file of a scale between 0 and 1."""


def _noise(head: bytes) -> Make:
    def make(scale: float) -> bytes:
        size = int(scale * limits.FILE_BYTES) - len(head)
        return head + random.Random(len(head)).randbytes(max(9, size))

    return make


HEADS: Final[Mapping[str, bytes]] = MappingProxyType(
    {
        "step": STEP_HEAD.encode() + b"#1=",
        "iges": iges_line("", "S", 1).encode(),
        "dxf": b"0\nSECTION\n2\nENTITIES\n0\nLINE\n",
        "pdf": b"%PDF-1.7\n1 0 obj\n<<",
        "svg": SVG.encode(),
        "drawio": b"<mxfile><diagram>",
        "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    }
)

MAKERS: Final[Mapping[str, tuple[Make, ...]]] = MappingProxyType(
    {
        "svg": (
            *(bombs.laughs, bombs.outside, bombs.use_bomb, nests.deep_svg, crowds.many_paths, crowds.many_segments),
            *(circles.cyclic_uses, values.wild_svg, values.surrogates_svg),
        ),
        "drawio": (
            *(bombs.packed_diagram, nests.deep_diagram, crowds.many_cells, circles.cyclic_cells),
            *(values.wild_diagram, values.surrogates_diagram),
        ),
        "png": (bombs.packed_png,),
        "dxf": (
            *(bombs.block_bomb, bombs.array_bomb, nests.deep_blocks, crowds.many_points, crowds.many_texts),
            *(circles.cyclic_blocks, values.wild_dxf, values.surrogates_dxf),
        ),
        "step": (
            *(bombs.assembly_bomb, nests.deep_step, crowds.many_entities, crowds.one_list, circles.cyclic_products),
            *(circles.cyclic_solid, values.wild_step, values.surrogates_step),
        ),
        "iges": (values.wild_iges,),
        "pdf": (
            *(bombs.packed_pdf, nests.deep_pdf, nests.deep_operands, crowds.many_strokes, crowds.many_words),
            *(circles.cyclic_pages, circles.cyclic_forms, circles.own_xref, circles.own_length),
            *(values.wild_pdf, values.surrogates_pdf),
        ),
    }
)
"""By extension."""

FILES: Final[Mapping[str, tuple[str, Make]]] = MappingProxyType(
    {
        f"{make.__name__.replace('_', ' ')}, {extension}": (extension, make)
        for extension, makes in MAKERS.items()
        for make in makes
    }
    | {f"noise, {extension}": (extension, _noise(head)) for extension, head in HEADS.items()}
)
"""By what they are: their extension, and how they are made."""


def _of_pdf(makers: tuple[Make, ...]) -> Mapping[str, tuple[str, Make]]:
    return MappingProxyType({f"{make.__name__.replace('_', ' ')}, pdf": ("pdf", make) for make in makers})


PDF_BOMBS: Final = _of_pdf(pdf_bombs.BOMBS)
"""What stands for more than it is below the pages of a PDF."""

COUNTED_PDF_BOMBS: Final = _of_pdf(pdf_bombs.COUNTED)
"""Those that are refused before anything is drawn, and so take little time at full size."""

NAMES: Final = (
    *(
        "../../etc/passwd.step",
        "..\\..\\windows\\a.step",
        "/proc/self/mem.step",
        "a/../../b.step",
        "C:evil.step",
        "~root.step",
    ),
    *("a\0b.step", "a\nb.step", "a\x1b[2Jb.step", "a\u202eb.step", "\ud800.step", "a\x7f.step", "a" * 250 + ".step"),
    *(
        "a" * 251 + ".step",
        ".step",
        "step",
        "..",
        "",
        " .step",
        "%2e%2e%2fa.step",
        "a.step\0.svg",
        "CON.step",
        "<b>.step",
    ),
)
"""File names that would leave their folder, forge a line of a log, or look like others."""
