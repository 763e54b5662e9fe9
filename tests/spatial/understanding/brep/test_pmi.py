"""PMI in the words of callouts: what a file may write about dimensions, tolerances, datums, texture and notes, and what it should not."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from spatial.formats.step.pmi.dimensions import tolerance_class
from spatial.understanding.sheet.callouts.gdt import read_frame
from spatial.understanding.sheet.label import Label
from tests.spatial.pmi import BRACKET, DEGREE, INCH, MM, RADIAN, SHAPE, faces_of, items, length, meaning, with_pmi

PLACE = faces_of(9100, 17)


def dimension(values: str, *, name: str = "diameter", further: str = "") -> str:
    """The bracket with one size of its first face; values: references of its representation."""
    return with_pmi(
        f"{PLACE}#9200=DIMENSIONAL_SIZE(#9100,'{name}');\n#9201=SHAPE_DIMENSION_REPRESENTATION('',({values}),#1678);\n"
        f"#9202=DIMENSIONAL_CHARACTERISTIC_REPRESENTATION(#9200,#9201);\n{further}"
    )


def deviations(upper: str, lower: str, unit: int = MM) -> str:
    return (
        f"{length(9221, lower, unit=unit)}{length(9222, upper, unit=unit)}#9220=TOLERANCE_VALUE(#9221,#9222);\n"
        "#9223=PLUS_MINUS_TOLERANCE(#9220,#9200);\n"
    )


def word(number: int, text: str) -> str:
    return f"#{number}=DESCRIPTIVE_REPRESENTATION_ITEM('dimensional note','{text}');\n"


NOMINAL = length(9210, 10.0, "nominal value")


@pytest.mark.requirement("pmi.dimensions")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (dimension("#9210", further=NOMINAL), {"type": "dimension", "text": "Ø10", "nominal": 10.0}),
        (
            dimension("#9210", further=NOMINAL + deviations("0.1", "-0.2")),
            {"type": "tolerance", "text": "Ø10 +0.1 -0.2", "upper_deviation": 0.1, "lower_deviation": -0.2, "min": 9.8, "max": 10.1},
        ),
        (
            dimension("#9210", further=NOMINAL + deviations("0.1", "-0.1")),
            {"type": "tolerance", "text": "Ø10±0.1"},
        ),
        (
            dimension("#9210", further=NOMINAL + deviations("0.004", "-0.004", INCH)),
            {"upper_deviation": 0.1016, "lower_deviation": -0.1016, "unit": "millimeter"},
        ),
        (
            dimension("#9211,#9212", further=length(9211, 10.2, "upper limit") + length(9212, 9.9, "lower limit")),
            {"type": "limit", "text": "Ø9.9-10.2", "min": 9.9, "max": 10.2, "unit": "millimeter"},
        ),
        (
            dimension("#9210,#9213", further=NOMINAL + word(9213, "theoretical")),
            {"type": "basic", "text": "[Ø10]"},
        ),
        (
            dimension("#9210,#9213", further=NOMINAL + word(9213, "auxiliary")),
            {"type": "reference_dimension", "text": "(Ø10)"},
        ),
        (
            dimension("#9210,#9213", further=NOMINAL + word(9213, "statistical") + deviations("0.1", "-0.1")),
            {"type": "tolerance", "text": "Ø10±0.1 ⟨ST⟩", "statistical": True},
        ),
        (
            dimension("#9210,#9214", further=NOMINAL + word(9213, "controlled radius")
                      + "#9214=COMPOUND_REPRESENTATION_ITEM('',SET_REPRESENTATION_ITEM((#9213)));\n", name="radius"),
            {"text": "CR10", "modifiers": ["controlled radius"]},
        ),
        (
            dimension("#9210", further=length(9210, 10.0, "nominal value", qualifiers="#9215") + "#9215=TYPE_QUALIFIER('maximum');\n"),
            {"type": "limit", "text": "Ø10 MAX", "max": 10.0, "qualifiers": ["maximum"]},
        ),
        (
            dimension("#9210", further=length(9210, 10.0, "nominal value", qualifiers="#9215") + "#9215=TYPE_QUALIFIER('average');\n"),
            {"type": "dimension", "text": "Ø10 AVG", "qualifiers": ["average"]},
        ),
        (
            dimension("#9210", further=length(9210, 10.0, "nominal value", qualifiers="#9215")
                      + "#9215=VALUE_FORMAT_TYPE_QUALIFIER('NR2 2.2');\n"),
            {"text": "Ø10.00", "decimals": 2},
        ),
        (
            dimension("#9210", further=NOMINAL + "#9224=LIMITS_AND_FITS('H','hole','7','');\n#9223=PLUS_MINUS_TOLERANCE(#9224,#9200);\n"),
            {"type": "fit", "text": "Ø10 H7", "class": "H7", "hole_class": "H7", "grade": "IT7",
             "upper_deviation": 0.015, "lower_deviation": 0.0, "deviations_from": "ISO 286-1:2010"},
        ),
    ],
)  # fmt: skip
def test_dimensions(text: str, expected: dict[str, Any]) -> None:
    found = [each for each in items(text) if each["source"] == "dimension-1"]
    assert len(found) == 1
    assert {name: found[0].get(name) for name in expected} == expected


@pytest.mark.requirement("pmi.dimensions")
@pytest.mark.parametrize(
    ("form", "grade", "expected"),
    [("H", "7", "H7"), ("H", "IT7", "H7"), ("G6", "", "G6"), ("", "k6", "k6"), ("JS", "10", "JS10"), ("H", "", None), ("", "7", None),
     ("H7/g6", "", None), ("Hx7", "7", None)],
)  # fmt: skip
def test_tolerance_classes(form: str, grade: str, expected: str | None) -> None:
    """The grade may stand in the field of the letter: NIST FTC-10 has `LIMITS_AND_FITS('G6','hole','','')`."""
    assert tolerance_class(form, grade) == expected


@pytest.mark.requirement("pmi.dimensions")
def test_a_dimension_without_a_value_is_partial_and_never_0() -> None:
    structure, warnings = meaning(with_pmi(f"{PLACE}#9200=DIMENSIONAL_SIZE(#9100,'diameter');\n"))
    assert structure["dimensions"] == [
        {"id": "dimension-1", "type": "diameter", "partial": True, "source": "#9200",
         "faces": [{"bodies": ["solid-1"], "faces": ["face-1"]}]}
    ]  # fmt: skip
    assert "dimensions have no value in the file and are partial: #9200" in warnings


@pytest.mark.requirement("pmi.units")
@pytest.mark.parametrize(
    ("unit", "value", "unit_name", "document_value"),
    [(MM, 10.0, "millimeter", 10.0), (INCH, 0.5, "inch", 12.7)],
)
def test_values_carry_their_own_unit(unit: int, value: float, unit_name: str, document_value: float) -> None:
    found = meaning(dimension("#9210", further=length(9210, value, "nominal value", unit)))[0]["dimensions"][0]
    assert (found["nominal"], found["unit"], found["value"]) == (value, unit_name, document_value)


@pytest.mark.requirement("pmi.units")
@pytest.mark.parametrize(("unit", "value"), [(DEGREE, 60.0), (RADIAN, 1.04719755119660)])
def test_angles_are_in_degrees_whatever_the_file_writes(unit: int, value: float) -> None:
    angle = (
        f"#9210=(MEASURE_REPRESENTATION_ITEM()MEASURE_WITH_UNIT(PLANE_ANGLE_MEASURE({value}),#{unit})"
        "PLANE_ANGLE_MEASURE_WITH_UNIT()REPRESENTATION_ITEM('nominal value'));\n"
    )
    found = meaning(dimension("#9210", further=angle))[0]["dimensions"][0]
    assert found["value"] == pytest.approx(60.0, abs=1e-9)
    assert found["nominal"] == value


@pytest.mark.requirement("pmi.units")
def test_a_value_without_a_unit_is_left_out() -> None:
    structure, warnings = meaning(dimension("#9210", further=length(9210, 10.0, "nominal value", 9999)))
    assert structure["dimensions"][0]["partial"]
    assert "value" not in structure["dimensions"][0]
    assert any("no unit that is known" in warning for warning in warnings)


DATUMS = "".join(f"#{9300 + n}=DATUM('',$,#{SHAPE},.F.,'{letter}');\n" for n, letter in enumerate("ABC"))


def tolerance(entities: str, *, further: str = "", kind: str = "POSITION_TOLERANCE()", value: float = 0.2) -> str:
    """The bracket with one geometric tolerance of its first face."""
    return with_pmi(
        f"{PLACE}{DATUMS}{length(9400, value)}"
        f"#9401=(GEOMETRIC_TOLERANCE('Position.1','',#9400,#9100){entities}{kind});\n{further}"
    )


def zone(form: str) -> str:
    return f"#9402=TOLERANCE_ZONE('',$,#{SHAPE},.F.,(#9401),#9403);\n#9403=TOLERANCE_ZONE_FORM('{form}');\n"


def compartment(number: int, base: str, modifiers: str = "$") -> str:
    return f"#{number}=DATUM_REFERENCE_COMPARTMENT('',$,#{SHAPE},.F.,{base},{modifiers});\n"


MAXIMUM = "(SIMPLE_DATUM_REFERENCE_MODIFIER(.MAXIMUM_MATERIAL_REQUIREMENT.))"
WITH_DATUMS = "GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE((#9410))"


def system(*numbers: int) -> str:
    return f"#9410=DATUM_SYSTEM('',$,#{SHAPE},.F.,({','.join(f'#{number}' for number in numbers)}));\n"


COMMON = (
    system(9411, 9412) + compartment(9411, "COMMON_DATUM_LIST((#9413,#9414))") + compartment(9412, "#9302", MAXIMUM)
    + f"#9413=DATUM_REFERENCE_ELEMENT('',$,#{SHAPE},.F.,#9300,{MAXIMUM});\n#9414=DATUM_REFERENCE_ELEMENT('',$,#{SHAPE},.F.,#9301,$);\n"
)  # fmt: skip


@pytest.mark.requirement("pmi.tolerances")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            tolerance("GEOMETRIC_TOLERANCE_WITH_MODIFIERS((.MAXIMUM_MATERIAL_REQUIREMENT.,.FREE_STATE.))", further=zone("spherical")),
            {"text": "⌖ SØ0.2ⓂⒻ", "zone": "spherical", "modifiers": ["maximum_material", "free_state"], "tolerance": 0.2},
        ),
        (
            tolerance(WITH_DATUMS, further=zone("cylindrical or circular") + COMMON),
            {"text": "⌖ Ø0.2 AⓂ-B CⓂ", "zone": "cylindrical",
             "datums": [{"datum": "A-B", "common": [{"datum": "A", "modifiers": ["maximum_material"]}, {"datum": "B"}]},
                        {"datum": "C", "modifiers": ["maximum_material"]}]},
        ),
        (
            tolerance("", further=zone("within a cylinder") + length(9404, 50.0)
                      + "#9405=PROJECTED_ZONE_DEFINITION(#9402,(),#9100,#9404);\n"),
            {"text": "⌖ Ø0.2Ⓟ50", "projected_zone": 50.0},
        ),
        (
            tolerance("UNEQUALLY_DISPOSED_GEOMETRIC_TOLERANCE(#9404)", further=length(9404, 0.05), kind="SURFACE_PROFILE_TOLERANCE()"),
            {"text": "⌓ 0.2Ⓤ0.05", "unequally_disposed": 0.05, "characteristic": "profile_of_a_surface"},
        ),
        (
            tolerance("GEOMETRIC_TOLERANCE_WITH_DEFINED_UNIT(#9404)", further=length(9404, 25.0), kind="STRAIGHTNESS_TOLERANCE()"),
            {"text": "⏤ 0.2/25", "per_length": 25.0},
        ),
        (
            tolerance("GEOMETRIC_TOLERANCE_WITH_DEFINED_AREA_UNIT(.RECTANGULAR.,#9406)GEOMETRIC_TOLERANCE_WITH_DEFINED_UNIT(#9404)",
                      further=length(9404, 25.0) + length(9406, 2.0, unit=INCH), kind="FLATNESS_TOLERANCE()"),
            {"text": "⏥ 0.2/25x2", "per_area": {"shape": "rectangular", "size": 25.0, "second_size": 50.8}},
        ),
        (
            tolerance("GEOMETRIC_TOLERANCE_WITH_MAXIMUM_TOLERANCE(#9404)GEOMETRIC_TOLERANCE_WITH_MODIFIERS((.MAXIMUM_MATERIAL_REQUIREMENT.))",
                      further=length(9404, 0.5)),
            {"text": "⌖ 0.2Ⓜ 0.5 MAX", "maximum": 0.5},
        ),
        (
            tolerance("", further=f"{length(9407, 0.05)}#9408=POSITION_TOLERANCE('','',#9407,#9100);\n"
                      "#9409=GEOMETRIC_TOLERANCE_RELATIONSHIP('composite','',#9401,#9408);\n"),
            {"text": "⌖ 0.2\n⌖ 0.05", "composite": True,
             "segments": [{"characteristic": "position", "tolerance": 0.2, "unit": "millimeter", "source": "#9401"},
                          {"characteristic": "position", "tolerance": 0.05, "unit": "millimeter", "source": "#9408"}]},
        ),
        (
            with_pmi(f"{PLACE}{DATUMS}{length(9400, 0.2)}#9401=(GEOMETRIC_TOLERANCE('','',#9400,#9100)"
                     "GEOMETRIC_TOLERANCE_WITH_DATUM_REFERENCE((#9420,#9421))MODIFIED_GEOMETRIC_TOLERANCE(.LEAST_MATERIAL_CONDITION.)"
                     "POSITION_TOLERANCE());\n#9420=DATUM_REFERENCE(2,#9301);\n"
                     "#9421=REFERENCED_MODIFIED_DATUM(1,#9300,.MAXIMUM_MATERIAL_CONDITION.);\n"),
            {"text": "⌖ 0.2Ⓛ AⓂ B"},
        ),
    ],
    ids=("modifiers", "common datum", "projected", "unequal", "per length", "per area", "maximum", "composite", "AP214"),
)  # fmt: skip
def test_tolerances(text: str, expected: dict[str, Any]) -> None:
    (found,) = items(text, "gdt")
    assert {name: found.get(name) for name in expected} == expected
    assert found["faces"] == [{"bodies": ["solid-1"], "faces": ["face-1"]}]


@pytest.mark.requirement("pmi.tolerances")
def test_the_text_of_a_frame_reads_as_the_same_frame_on_a_drawing() -> None:
    text = tolerance(
        f"GEOMETRIC_TOLERANCE_WITH_MODIFIERS((.MAXIMUM_MATERIAL_REQUIREMENT.)){WITH_DATUMS}",
        further=zone("cylindrical or circular") + system(9411, 9412) + compartment(9411, "#9300")
        + compartment(9412, "#9301", MAXIMUM),
    )  # fmt: skip
    (found,) = items(text, "gdt")
    label = Label((found["text"],), 1, (0.0, 0.0), (0.0, 0.0, 1.0, 1.0), 0.0, 1.0, ("a",))
    read = read_frame(label)
    assert read
    assert {name: found[name] for name in read.members} == read.members


@pytest.mark.requirement("pmi.datums")
def test_datum_features_and_targets() -> None:
    text = with_pmi(
        f"#9100=DATUM_FEATURE('Datum.1',$,#{SHAPE},.T.);\n#9101=GEOMETRIC_ITEM_SPECIFIC_USAGE('','',#9100,#10,#17);\n"
        f"#9300=DATUM('',$,#{SHAPE},.F.,'A');\n#9301=SHAPE_ASPECT_RELATIONSHIP('',$,#9100,#9300);\n"
        f"#9310=PLACED_DATUM_TARGET_FEATURE('Target.1','circle',#{SHAPE},.T.,'2');\n"
        "#9311=SHAPE_ASPECT_RELATIONSHIP('',$,#9310,#9300);\n#9312=PROPERTY_DEFINITION('',$,#9310);\n"
        f"#9313=SHAPE_DEFINITION_REPRESENTATION(#9312,#9314);\n{length(9315, 6.0, 'target diameter')}"
        "#9314=SHAPE_REPRESENTATION_WITH_PARAMETERS('',(#9316,#9315),#1678);\n"
        "#9316=AXIS2_PLACEMENT_3D('orientation',#9317,#13,#14);\n#9317=CARTESIAN_POINT('',(1.,2.,3.));\n"
    )
    (datum,), (target,) = items(text, "datum"), items(text, "datum_target")
    assert (datum["datum"], datum["faces"]) == ("A", [{"bodies": ["solid-1"], "faces": ["face-1"]}])
    assert (target["datum"], target["target"], target["text"], target["shape"]) == ("A", "2", "A2", "circle")
    assert target["position"] == [1.0, 2.0, 3.0]
    assert target["sizes"] == {"target_diameter": {"value": 6.0, "unit": "millimeter"}}


@pytest.mark.requirement("pmi.texture-notes")
def test_surface_texture_and_notes() -> None:
    text = with_pmi(
        f"{PLACE}#9500=PROPERTY_DEFINITION('surface texture','',#9100);\n#9501=PROPERTY_DEFINITION_REPRESENTATION(#9500,#9502);\n"
        "#9502=SURFACE_TEXTURE_REPRESENTATION('',(#9503,#9504),#1678);\n#9503=DESCRIPTIVE_REPRESENTATION_ITEM('measuring method','ISO');\n"
        f"{length(9504, 0.0016, 'Ra')}#9510=PROPERTY_DEFINITION('semantic text','',#9100);\n"
        "#9511=PROPERTY_DEFINITION_REPRESENTATION(#9510,#9512);\n#9512=REPRESENTATION('',(#9513),#1678);\n"
        "#9513=DESCRIPTIVE_REPRESENTATION_ITEM('','DEBURR\\X2\\000A\\X0\\ALL');\n"
    )
    (texture,), (note,) = items(text, "surface_finish"), items(text, "note")
    assert (texture["parameter"], texture["value"], texture["unit"]) == ("Ra", 0.0016, "millimeter")
    assert texture["method"] == "ISO"
    assert note["text"] == "DEBURR\nALL"
    assert texture["faces"] == note["faces"] == [{"bodies": ["solid-1"], "faces": ["face-1"]}]


def drawn(number: int, about: int, name: str = "linear dimension") -> str:
    """An annotation of lines, and what it is about."""
    return (
        f"#{number}=DRAUGHTING_CALLOUT('Size.{number}',(#{number + 1}));\n"
        f"#{number + 1}=TESSELLATED_ANNOTATION_OCCURRENCE('',(),#{number + 2});\n"
        f"#{number + 2}=TESSELLATED_GEOMETRIC_SET('{name}',());\n"
        f"#{number + 3}=DRAUGHTING_MODEL_ITEM_ASSOCIATION('','',#{about},#10,#{number});\n"
    )


@pytest.mark.requirement("pmi.graphical")
def test_annotations_that_are_only_drawn_are_counted_and_no_dimensions() -> None:
    structure, warnings = meaning(with_pmi(PLACE + drawn(9600, 9100)))
    assert "dimensions" not in structure
    assert "pmi" not in structure
    assert structure["coverage"] == {"dimension": {"semantic_only": 0, "graphical_only": 1, "both": 0}}
    assert structure["annotations"] == [
        {"id": "annotation-1", "type": "graphic", "shows": "dimension", "name": "Size.9600", "source": "#9600",
         "faces": [{"bodies": ["solid-1"], "faces": ["face-1"]}]}
    ]  # fmt: skip
    assert any("1 of 1 PMI items are only drawn" in warning for warning in warnings)


@pytest.mark.requirement("pmi.graphical")
def test_an_annotation_of_a_dimension_is_both() -> None:
    structure, _ = meaning(dimension("#9210", further=NOMINAL + drawn(9600, 9200)))
    assert structure["coverage"] == {"dimension": {"semantic_only": 0, "graphical_only": 0, "both": 1}}
    assert "annotations" not in structure


def pattern(*parts: tuple[int, ...]) -> str:
    """The bracket with a size of a pattern, whose parts have faces."""
    aspects = "".join(faces_of(9700 + 10 * n, *faces) for n, faces in enumerate(parts))
    relations = "".join(
        f"#{9650 + n}=SHAPE_ASPECT_RELATIONSHIP('',$,#9600,#{9700 + 10 * n});\n" for n, _ in enumerate(parts)
    )
    return with_pmi(
        f"#9600=COMPOSITE_GROUP_SHAPE_ASPECT('','pattern of features',#{SHAPE},.T.);\n{aspects}{relations}"
        f"#9200=DIMENSIONAL_SIZE(#9600,'diameter');\n#9201=SHAPE_DIMENSION_REPRESENTATION('',(#9210),#1678);\n"
        f"#9202=DIMENSIONAL_CHARACTERISTIC_REPRESENTATION(#9200,#9201);\n{NOMINAL}"
    )


FOUR_HOLES = tuple(
    int(re.findall(rf"#(\d+) = ADVANCED_FACE\([^;]*#{surface},", BRACKET)[0])
    for surface in re.findall(r"#(\d+) = CYLINDRICAL_SURFACE\('',#\d+,3\.3\)", BRACKET)
)
"""The bores of radius 3.3 mm, each a face on an axis of its own."""


@pytest.mark.requirement("pmi.quantity")
def test_a_pattern_has_as_many_features_as_parts() -> None:
    (found,) = items(pattern(*((face,) for face in FOUR_HOLES)))
    assert found["quantity"] == 4
    assert found["text"] == "4X Ø10"


@pytest.mark.requirement("pmi.quantity")
def test_parts_of_a_pattern_that_share_an_axis_leave_the_count_open() -> None:
    (found,) = items(pattern((FOUR_HOLES[0],), (FOUR_HOLES[0],)))
    assert "quantity" not in found


HOSTILE = {
    "dangling": f"{PLACE}#9200=DIMENSIONAL_SIZE(#9999,'diameter');\n#9401=FLATNESS_TOLERANCE('','',#9998,#9997);\n",
    "wrong types": f"{PLACE}#9200=DIMENSIONAL_SIZE('x',(1,2,3));\n#9401=FLATNESS_TOLERANCE(#1,#2,'x',(.T.));\n#9300=DATUM($,$,$,$,$);\n",
    "too few": "#9200=DIMENSIONAL_SIZE();\n#9401=POSITION_TOLERANCE();\n#9300=DATUM();\n#9301=DATUM_TARGET();\n#9302=DATUM_FEATURE();\n",
    "aspect circle": f"#9100=SHAPE_ASPECT('','',#{SHAPE},.T.);\n#9101=SHAPE_ASPECT('','',#{SHAPE},.T.);\n"
    "#9102=SHAPE_ASPECT_RELATIONSHIP('',$,#9100,#9101);\n#9103=SHAPE_ASPECT_RELATIONSHIP('',$,#9101,#9100);\n"
    "#9200=DIMENSIONAL_SIZE(#9100,'diameter');\n",
    "composite circle": f"{PLACE}{length(9400, 0.2)}#9401=FLATNESS_TOLERANCE('','',#9400,#9100);\n"
    "#9402=FLATNESS_TOLERANCE('','',#9400,#9100);\n#9403=GEOMETRIC_TOLERANCE_RELATIONSHIP('composite','',#9401,#9402);\n"
    "#9404=GEOMETRIC_TOLERANCE_RELATIONSHIP('composite','',#9402,#9401);\n",
    "compound circle": f"{PLACE}#9200=DIMENSIONAL_SIZE(#9100,'diameter');\n#9201=SHAPE_DIMENSION_REPRESENTATION('',(#9210),#1678);\n"
    "#9202=DIMENSIONAL_CHARACTERISTIC_REPRESENTATION(#9200,#9201);\n#9210=COMPOUND_REPRESENTATION_ITEM('',(#9210));\n",
    "infinite": f"{PLACE}{length(9400, '1.E999')}#9401=FLATNESS_TOLERANCE('','',#9400,#9100);\n",
    "unit circle": f"{PLACE}{length(9400, 0.2, unit=9500)}#9401=FLATNESS_TOLERANCE('','',#9400,#9100);\n"
    "#9500=(CONVERSION_BASED_UNIT('DEGREE',#9501)NAMED_UNIT(#9008)PLANE_ANGLE_UNIT());\n"
    "#9501=PLANE_ANGLE_MEASURE_WITH_UNIT(PLANE_ANGLE_MEASURE(1.),#9500);\n",
    "nested": f"{PLACE}#9401=FLATNESS_TOLERANCE('','',{'(' * 40}{')' * 40},#9100);\n",
}


@pytest.mark.requirement("pmi.hostile")
@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_what_is_wrong_is_warned_of_and_costs_no_other_item(data: str) -> None:
    good = f"{length(9801, 0.7)}#9800=FLATNESS_TOLERANCE('good','',#9801,#9810);\n{faces_of(9810, 57)}"
    structure, warnings = meaning(with_pmi(data + good))
    found = [each for each in structure["pmi"] if each.get("tolerance") == 0.7]
    assert [each["faces"] for each in found] == [[{"bodies": ["solid-1"], "faces": ["face-2"]}]]
    assert set(warnings) - set(meaning(BRACKET)[1])
    assert "Infinity" not in json.dumps(structure)
    assert not any("internal error" in warning for warning in warnings)


@pytest.mark.requirement("pmi.hostile")
def test_a_file_without_pmi_has_none_of_its_members() -> None:
    assert not {"dimensions", "annotations", "pmi", "coverage"} & set(meaning(BRACKET)[0])


@pytest.mark.requirement("pmi.faces")
def test_a_face_that_the_kernel_lost_leaves_the_others_their_ids() -> None:
    """The kernel refuses a cylinder of negative radius; the faces behind it move up by one."""
    text = with_pmi(f"{length(9801, 0.7)}#9800=FLATNESS_TOLERANCE('','',#9801,#9810);\n{faces_of(9810, 57, 90)}")
    whole = meaning(text)[0]["pmi"][0]["faces"][0]["faces"]
    cut = meaning(text.replace("CYLINDRICAL_SURFACE('',#86,8.)", "CYLINDRICAL_SURFACE('',#86,-8.)"))[0]["pmi"][0]
    assert whole == ["face-2", "face-3"]
    assert "face-3" not in str(cut.get("faces", ""))
