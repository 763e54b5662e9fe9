"""Files for the benchmarks of bulk ingest: small, of several kinds, none like another, and none like those of any other call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from storage import ids

Kind = Callable[[str, int], tuple[str, bytes]]
"""Makes a file of a salt and a number: its extension and content."""

BRACKET: Final = (Path(__file__).parents[1] / "examples" / "bracket.step").read_bytes()


def corpus(folder: Path, files: int, kinds: Sequence[Kind] | None = None) -> list[Path]:
    """A new folder of so many files, and these; of five one is a diagram, one an SVG, two are DXF drawings and one is a STEP part."""
    folder.mkdir(parents=True)
    salt = ids.new("bench")
    chosen = kinds or (dxf, svg, drawio, dxf, step)
    paths = []
    for number in range(files):
        extension, content = chosen[number % len(chosen)](f"{salt} {number}", number)
        paths.append(folder / f"{number:06}.{extension}")
        paths[-1].write_bytes(content)
    return paths


def dxf(salt: str, number: int) -> tuple[str, bytes]:
    """Twenty callouts and forty lines."""
    texts = [f"0\nTEXT\n8\n0\n10\n{10 * row}\n20\n{row}\n40\n3.5\n1\nM8x{number + row}\n" for row in range(20)]
    lines = [f"0\nLINE\n8\n0\n10\n{x}\n20\n0\n11\n{x}\n21\n50\n" for x in range(40)]
    return "dxf", f"999\n{salt}\n0\nSECTION\n2\nENTITIES\n{''.join(texts + lines)}0\nENDSEC\n0\nEOF\n".encode()


def svg(salt: str, number: int) -> tuple[str, bytes]:
    """Twenty-nine callouts."""
    texts = "".join(f'<text x="5" y="{y}">M{y}x{number}</text>' for y in range(1, 30))
    return "svg", f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 99 99"><!-- {salt} -->{texts}</svg>'.encode()


def tiny(salt: str, number: int) -> tuple[str, bytes]:
    """One callout, where it does not matter what is in a file."""
    text = f'<text x="5" y="5">M8x{number}</text>'
    return "svg", f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><!-- {salt} -->{text}</svg>'.encode()


def drawio(salt: str, number: int) -> tuple[str, bytes]:
    """Fifteen nodes in a row."""
    cells = "".join(
        f'<mxCell id="n{cell}" value="Step {cell} of {number}" vertex="1" parent="1"><mxGeometry x="{90 * cell}" y="9" width="80" '
        f'height="40" as="geometry"/></mxCell><mxCell id="e{cell}" edge="1" parent="1" source="n{cell}" target="n{cell + 1}"/>'
        for cell in range(15)
    )
    whole = f'<mxGraphModel><root><mxCell id="0"/><mxCell id="1" parent="0"/>{cells}</root></mxGraphModel>'
    return "drawio", f'<mxfile><!-- {salt} --><diagram name="p">{whole}</diagram></mxfile>'.encode()


def step(salt: str, number: int) -> tuple[str, bytes]:
    """The bracket of the examples."""
    del number
    return "step", BRACKET.replace(b"DATA;", f"DATA; /* {salt} */".encode(), 1)
