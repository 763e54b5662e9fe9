"""Models with PMI for tests: three of NIST, and the sample part with PMI written into it."""

from __future__ import annotations

import gzip
from functools import cache
from typing import Any

from spatial.pipeline.read import read_file
from tests.support.stack import ROOT

REAL = ROOT / "tests" / "data" / "pmi" / "nist_ctc_01_asme1_ap242-e1.stp.gz"
OTHERS = ("nist_ftc_07_ap242e2.stp.gz", "nist_stc_06_ap242e3.stp.gz")
BRACKET = (ROOT / "examples" / "bracket.step").read_text("latin-1")
SHAPE = 4
"""The bracket's product_definition_shape."""
MILLIMETRE = 1679
"""The bracket's unit of length."""
REPRESENTATION = 10
"""The bracket's shape representation."""

UNITS = """
#9001=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));
#9002=LENGTH_MEASURE_WITH_UNIT(LENGTH_MEASURE(25.4),#9001);
#9003=(CONVERSION_BASED_UNIT('INCH',#9002)LENGTH_UNIT()NAMED_UNIT(#9004));
#9004=DIMENSIONAL_EXPONENTS(1.,0.,0.,0.,0.,0.,0.);
#9005=(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.));
#9006=PLANE_ANGLE_MEASURE_WITH_UNIT(PLANE_ANGLE_MEASURE(0.0174532925199433),#9005);
#9007=(CONVERSION_BASED_UNIT('DEGREE',#9006)NAMED_UNIT(#9008)PLANE_ANGLE_UNIT());
#9008=DIMENSIONAL_EXPONENTS(0.,0.,0.,0.,0.,0.,0.);
"""
"""Millimetre, inch, radian and degree."""
MM, INCH, RADIAN, DEGREE = 9001, 9003, 9005, 9007


@cache
def real_text() -> str:
    """NIST CTC-01."""
    return gzip.decompress(REAL.read_bytes()).decode("latin-1")


def nist_texts() -> list[tuple[str, str]]:
    """NIST CTC-01, FTC-07 and STC-06: three editions of AP242, millimetres, inches, and both in one file."""
    read = [(ROOT / "tests" / "data" / "solids" / name).read_bytes() for name in OTHERS]
    others = [gzip.decompress(each).decode("latin-1") for each in read]
    return [("nist_ctc_01", real_text()), *zip(("nist_ftc_07", "nist_stc_06"), others, strict=True)]


def with_pmi(data: str) -> str:
    """The bracket with further instances, from #9100 on."""
    head, end, tail = BRACKET.rpartition("ENDSEC;")
    return head + UNITS + data + end + tail


def length(number: int, value: float | str, name: str = "", unit: int = MM, qualifiers: str = "") -> str:
    """A length as an item of a representation."""
    qualified = f"QUALIFIED_REPRESENTATION_ITEM(({qualifiers}))" if qualifiers else ""
    return (
        f"#{number}=(LENGTH_MEASURE_WITH_UNIT()MEASURE_REPRESENTATION_ITEM()MEASURE_WITH_UNIT(LENGTH_MEASURE({value}),#{unit})"
        f"{qualified}REPRESENTATION_ITEM('{name}'));\n"
    )


def faces_of(number: int, *faces: int) -> str:
    """A shape aspect with faces of the file."""
    usages = "".join(
        f"#{number + 1 + place}=GEOMETRIC_ITEM_SPECIFIC_USAGE('','',#{number},#{REPRESENTATION},#{face});\n"
        for place, face in enumerate(faces)
    )
    return f"#{number}=SHAPE_ASPECT('','',#{SHAPE},.T.);\n{usages}"


@cache
def meaning(text: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The members of `structure` that a file's PMI makes, and the warnings."""
    steps = read_file(text.encode("latin-1"), "part.step")
    found = steps.interpret()
    return found.structure, (*steps.reading.warnings, *found.warnings)


def items(text: str, kind: str | None = None) -> list[dict[str, Any]]:
    """The PMI items of a file, all or of one type."""
    return [each for each in meaning(text)[0].get("pmi", ()) if kind in (None, each["type"])]
