"""PMI of real files against a second reading of their text, and against the sheets of NIST."""

from __future__ import annotations

import re
from typing import Any

import pytest

from spatial.formats.step.reader import read
from spatial.pipeline.read import read_file
from tests.spatial.part21_by_regex import ByRegex
from tests.spatial.pmi import meaning, nist_texts, real_text

FILES = nist_texts()
KINDS = {
    "ROUNDNESS": "circularity",
    "LINE_PROFILE": "profile_of_a_line",
    "SURFACE_PROFILE": "profile_of_a_surface",
}


EACH_FILE = pytest.mark.parametrize("text", [text for _, text in FILES], ids=[name for name, _ in FILES])


def number_of(item: dict[str, Any]) -> int:
    return int(item["source"][1:])


def segments(structure: dict[str, Any]) -> list[dict[str, Any]]:
    """All rows of all frames; the row of a simple frame has the annotation's instance."""
    annotations = {each["id"]: each for each in structure["annotations"]}
    return [
        row
        for item in structure["pmi"]
        if item["type"] == "gdt"
        for row in item.get("segments", [{**item, "source": annotations[item["source"]]["source"]}])
    ]


@pytest.mark.requirement("pmi.every-entity")
@EACH_FILE
def test_every_dimension_is_in_the_document_with_its_value(text: str) -> None:
    second, structure = ByRegex(text), meaning(text)[0]
    assert second.dimensions
    assert {number_of(each) for each in structure["dimensions"]} == second.dimensions
    values = {number_of(each): each["nominal"] for each in structure["dimensions"] if "nominal" in each}
    assert values == second.nominals


@pytest.mark.requirement("pmi.every-entity")
@EACH_FILE
def test_every_tolerance_is_in_the_document_with_its_value_and_datums(text: str) -> None:
    second, rows = ByRegex(text), segments(meaning(text)[0])
    assert second.tolerances
    found = {number_of(row): row["characteristic"] for row in rows}
    assert found == {number: KINDS.get(kind, kind.lower()) for number, kind in second.tolerances.items()}
    assert {number_of(row): row["tolerance"] for row in rows} == {n: second.magnitude(n) for n in second.tolerances}
    letters = {number_of(row): "|".join(each["datum"] for each in row.get("datums", ())) for row in rows}
    assert letters == {number: second.datum_letters(number) for number in second.tolerances}


@pytest.mark.requirement("pmi.every-entity")
@EACH_FILE
def test_modifiers_and_zones_are_as_many_as_in_the_text(text: str) -> None:
    second, rows = ByRegex(text), segments(meaning(text)[0])
    counts = {
        "modifiers": sum(len(row.get("modifiers", ())) for row in rows),
        "zone": sum("zone" in row for row in rows),
        "projected_zone": sum("projected_zone" in row for row in rows),
        "per_area": sum("per_area" in row for row in rows),
        "unequally_disposed": sum("unequally_disposed" in row for row in rows),
    }
    modifiers = [each.partition("WITH_MODIFIERS((")[2] for each in second.statements.values()]
    # Some programs write a projection for each feature of a pattern into one zone.
    projected = {second.statements[number].split(",")[0] for number in second.numbers(r"\bPROJECTED_ZONE_DEFINITION\(")}
    assert counts == {
        "modifiers": sum(len(re.findall(r"\.\w+\.", each.partition(")")[0])) for each in modifiers),
        "zone": len(second.numbers(r"\bTOLERANCE_ZONE\(")),
        "projected_zone": len(projected),
        "per_area": len(second.numbers(r"\bGEOMETRIC_TOLERANCE_WITH_DEFINED_AREA_UNIT\(")),
        "unequally_disposed": len(second.numbers(r"\bUNEQUALLY_DISPOSED_GEOMETRIC_TOLERANCE\(")),
    }


@pytest.mark.requirement("pmi.every-entity")
@EACH_FILE
def test_every_datum_feature_and_target_is_in_the_document(text: str) -> None:
    second, structure = ByRegex(text), meaning(text)[0]
    found = {number_of(each) for each in structure["annotations"] if each["type"] in ("datum", "datum_target")}
    assert found == second.numbers(r"\b(?:\w+_WITH_)?(?:DATUM_FEATURE|DATUM_TARGET|PLACED_DATUM_TARGET_FEATURE)\(")
    letters = {each["datum"] for each in structure["pmi"] if each["type"] in ("datum", "datum_target")}
    assert letters == {
        text.rsplit("'", 2)[1] for number in second.numbers(r"^DATUM\(") for text in [second.statements[number]]
    }


@pytest.mark.requirement("pmi.as-stated")
def test_the_texts_of_a_real_file_stay_as_they_are() -> None:
    """NIST, combined test case 1. The values are held by the second reader; the wording was read through and is kept here."""
    texts = [each["text"] for each in meaning(real_text())[0]["pmi"] if "text" in each]
    assert texts == [
        "60°±0.5°", "Ø35 0 -0.2", "Ø35 +0.2 0", "Ø20 +0.05 -0.1", "Ø20 +0.1 -0.05", "Ø34.8-35.2", "Ø34.8-35.2", "Ø25±0.15",
        "⌖ 0.75 A B C", "⌖ 0.75 A B C", "⌓ 1.25 A B C", "⌓ 0.5 A", "⟂ 1.5 A", "⏥ 0.2", "A", "B", "C", "B", "A",
    ]  # fmt: skip


def plain(text: str) -> str:
    """A text as programs of different habits write it alike: without spaces, leading zeros and trailing zeros."""
    for other, sign in {"⌀": "Ø", "▱": "⏥", "⊥": "⟂", "⏊": "⟂", "<ST>": "⟨ST⟩", "\n": " "}.items():
        text = text.replace(other, sign)
    words = []
    for number in re.split(r"(\d*\.?\d+\.?)", text):
        is_number = any(character.isdigit() for character in number)
        words.append(f"{float(number):.4g}" if is_number else number.replace(" ", ""))
    return "".join(words)


@pytest.mark.requirement("pmi.as-stated")
@pytest.mark.parametrize("text", [text for _, text in FILES[1:]], ids=[name for name, _ in FILES[1:]])
def test_frames_say_what_the_validation_properties_say(text: str) -> None:
    model = read(text.encode("latin-1"), "part.step")
    assert model.pmi
    rows = {number_of(row): row for row in segments(meaning(text)[0])}
    structure = meaning(text)[0]
    written = {number_of(each): each["text"].split("\n") for each in structure["annotations"] if each["type"] == "gdt"}
    compared = 0
    for frame in model.pmi.tolerances:
        for segment, line in zip(frame.segments, written[frame.number], strict=True):
            stated = model.pmi.texts.get(segment.number)
            if stated:
                compared += 1
                bare = line.partition("X ")[2] if "X ⌖" in line else line
                assert plain(bare) == plain(stated[0]), rows[segment.number]
    assert compared == len(rows) or not compared


@pytest.mark.requirement("pmi.units")
@EACH_FILE
def test_a_dimension_has_the_files_value_and_unit_and_the_documents_value(text: str) -> None:
    steps = read_file(text.encode("latin-1"), "part.step")
    millimetres = {"millimeter": 1.0, "inch": 25.4}
    unit = millimetres[steps.reading.units.name]
    lengths = [each for each in meaning(text)[0]["dimensions"] if each.get("unit") in millimetres]
    assert lengths
    for each in lengths:
        assert each["value"] == pytest.approx(each["nominal"] * millimetres[each["unit"]] / unit, rel=1e-11)


@pytest.mark.requirement("pmi.faces")
@EACH_FILE
def test_diameters_are_those_of_the_faces_that_they_are_about(text: str) -> None:
    """A cylinder that a diameter is about has that diameter, which ties the ids to the right faces."""
    steps = read_file(text.encode("latin-1"), "part.step")
    bodies = [*(steps.reading.structure.solids or ()), *(steps.reading.structure.shells or ())]
    solids = {body.id: {face.id: face for face in body.faces} for body in bodies}
    checked = 0
    for each in meaning(text)[0]["dimensions"]:
        if each["type"] not in ("diameter", "radius") or "value" not in each:
            continue
        found = [
            solids[body][face]
            for reference in each.get("faces", ())
            for body in reference["bodies"]
            for face in reference["faces"]
        ]
        factor = 2.0 if each["type"] == "diameter" else 1.0
        cylinders = [face for face in found if face.type == "cylinder" and face.radius]
        tolerance = 0.03 * each["value"]  # the nominal size may differ from the modelled one by the tolerance
        checked += len(cylinders)
        assert all(abs(face.radius * factor - each["value"]) < tolerance for face in cylinders if face.radius), each
    assert checked


@pytest.mark.requirement("pmi.graphical")
@EACH_FILE
def test_coverage_counts_each_item_once(text: str) -> None:
    structure = meaning(text)[0]
    graphical = sum(each["type"] == "graphic" for each in structure["annotations"])
    assert sum(row["graphical_only"] for row in structure["coverage"].values()) == graphical
    semantic = sum(row["both"] + row["semantic_only"] for row in structure["coverage"].values())
    assert semantic == len(structure["pmi"])
