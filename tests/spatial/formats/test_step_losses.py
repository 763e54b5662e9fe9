"""A STEP file of which the kernel makes less than it states: partial, with the entity that is the reason, and never valid."""

from __future__ import annotations

import re

import pytest

from spatial.errors import ParseError
from spatial.formats.step.part21 import Part21
from spatial.pipeline.read import read_file
from tests.support.stack import ROOT

WHOLE = (ROOT / "examples" / "bracket.step").read_text("latin-1")
FACES = 59


def edited(pattern: str, replacement: str, text: str = WHOLE) -> bytes:
    """The bracket with the first match of a pattern replaced."""
    changed, count = re.subn(pattern, replacement, text, count=1, flags=re.DOTALL)
    assert count == 1
    return changed.encode("latin-1")


PARTLY = {
    "negative radius": (
        r"(CYLINDRICAL_SURFACE\('',#\d+,)8\.",
        r"\1-2.",
        "1 of 1 solid and 1 of 59 faces",
        "CYLINDRICAL_SURFACE",
    ),
    "unknown surface": (
        "CYLINDRICAL_SURFACE",
        "CYLINDRICAL_SURFACEX",
        "1 of 1 solid and 1 of 59 faces",
        "CYLINDRICAL_SURFACEX",
    ),
    "unknown face": ("ADVANCED_FACE", "ADVANCED_FAZE", "1 of 1 solid and 1 of 59 faces", "ADVANCED_FAZE"),
    "no face": (r"#17 = ADVANCED_FACE\(.*?\);", "", "1 of 1 solid and 1 of 59 faces", "#17, which is not in the file"),
    "no bound": (
        r"#18 = FACE_OUTER_BOUND\(.*?\);|#18 = FACE_BOUND\(.*?\);",
        "",
        "1 of 1 solid",
        "#18, which is not in the file",
    ),
    "no edge": (r"#21 = EDGE_CURVE\(.*?\);", "", "a part of the geometry", "#21, which is not in the file"),
    "no direction": (r"(#29 = DIRECTION\('',\()[^)]*", r"\g<1>0.,0.,0.", "1 of 1 solid", "#26=LINE"),
}

NOTHING = {
    "no solid": (r"#15 = MANIFOLD_SOLID_BREP\(.*?\);", "", "#15, which is not in the file"),
    "unknown solid": (
        "MANIFOLD_SOLID_BREP",
        "MANIFOLD_SOLID_BREPX",
        "MANIFOLD_SOLID_BREPX('',#16), an entity that is not known",
    ),
    "far away": (r"(#23 = CARTESIAN_POINT\('',\()[^)]*", r"\g<1>1.E+300,0.,0.", "#15=MANIFOLD_SOLID_BREP('',#16)"),
    **{
        number: (r"(#23 = CARTESIAN_POINT\('',\()[^)]*", rf"\g<1>{number},0.,0.", "a number that no geometry can")
        for number in ("NaN", "-1.E400", "-2.5e+0309")
    },
}


@pytest.mark.requirement("brep.losses")
@pytest.mark.parametrize("case", PARTLY)
def test_what_is_lost_is_named_and_the_rest_is_read(case: str) -> None:
    pattern, replacement, missing, cause = PARTLY[case]
    steps = read_file(edited(pattern, replacement), "bracket.step")
    reading, validity = steps.reading, steps.interpret().structure["validity"]
    assert reading.partial
    assert validity["valid"] is False
    assert reading.warnings[0].startswith(f"{missing} could not be read, because of ")
    assert cause in reading.warnings[0]
    bodies = [*(reading.structure.solids or ()), *(reading.structure.shells or ())]
    assert sum(len(body.faces) for body in bodies) >= FACES - 1
    assert not [face for body in bodies for face in body.faces if (face.area or 0.0) > 1e6]


@pytest.mark.requirement("brep.losses")
@pytest.mark.parametrize("case", NOTHING)
def test_where_nothing_is_left_the_file_is_refused(case: str) -> None:
    pattern, replacement, cause = NOTHING[case]
    with pytest.raises(ParseError, match=re.escape(cause)) as refused:
        read_file(edited(pattern, replacement), "bracket.step")
    assert str(refused.value).endswith("export it again")


@pytest.mark.requirement("brep.losses")
@pytest.mark.parametrize("is_beyond", [True, False])
@pytest.mark.parametrize("shape", ["{}.", "1.{}", "{}.{}", "1.E+{}", "-{}"])
def test_a_coordinate_of_many_digits_is_gone_through_once(shape: str, is_beyond: bool) -> None:
    """Going through 200,000 digits again from each of them, or for each way to divide them, takes hours."""
    digits = "0" * 200_000 if "E" in shape else "1" * 200_000
    number = shape.format(digits, digits) + ("400" if "E" in shape else "E400") * is_beyond
    text = f"#1=CARTESIAN_POINT('E400',({number},0.,0.));"
    assert Part21(text.encode()).has_no_numbers is is_beyond


@pytest.mark.requirement("brep.losses")
def test_a_file_with_a_coordinate_of_many_digits_is_refused() -> None:
    digits = "1" * 200_000
    with pytest.raises(ParseError, match="a number that no geometry can"):
        read_file(edited(r"(#23 = CARTESIAN_POINT\('',\()[^)]*", rf"\g<1>{digits}.E400,{digits}.,0."), "bracket.step")
    with pytest.raises(ParseError, match="is not valid STEP"):
        read_file(edited(r"(#23 = CARTESIAN_POINT\('',\()[^)]*", rf"\g<1>{digits}.E5,{digits}.,0."), "bracket.step")


@pytest.mark.requirement("brep.losses")
@pytest.mark.parametrize("far", ["1.E153", "-2.5E19", "1" + 30 * "0" + "."])
def test_a_file_whose_points_have_no_place_is_refused_before_the_kernel_and_one_such_point_is_not(far: str) -> None:
    moved = re.sub(r"(CARTESIAN_POINT\('',\()[^,]+", rf"\g<1>{far}", WHOLE)
    with pytest.raises(ParseError, match="most of its points stand more than 1E18 from the origin"):
        read_file(moved.encode("latin-1"), "moved.step")
    text = Part21(WHOLE.replace("CARTESIAN_POINT('',(", f"CARTESIAN_POINT('',({far}", 1).encode())
    assert not text.is_nowhere and not Part21(b"DATA;").is_nowhere


@pytest.mark.requirement("brep.losses")
def test_a_name_that_looks_like_no_number_is_a_name() -> None:
    steps = read_file(edited(r"(MANIFOLD_SOLID_BREP\()''", r"\1'(nan, inf)'"), "bracket.step")
    assert not steps.reading.partial
    assert steps.reading.entity_counts["faces"] == FACES
    assert steps.interpret().structure["validity"]["valid"] is True
