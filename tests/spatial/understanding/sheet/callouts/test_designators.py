"""Designations of parts are no radii and no threads."""

from __future__ import annotations

import pytest

from spatial.models.reading import Units
from spatial.models.sheet.drawing import Drawing
from spatial.pipeline.sheet import DrawingSteps
from spatial.understanding.sheet.callouts.designators import without_designators
from tests.spatial.forms import Form
from tests.spatial.understanding.sheet.callouts.test_size_ranges import read

RESISTORS = ["R1", "R2", "R9"]
CIRCUIT = ["VD1", "VD2", "XP1", "XP4", "C1", *RESISTORS]
PORTS = ["PT2 - WHITE", "PT1", "PT3", "PT4"]


@pytest.mark.requirement("callouts.designators")
def test_what_counts_parts_up_is_no_size() -> None:
    assert without_designators(read(RESISTORS), CIRCUIT) == []
    assert without_designators(read(PORTS), PORTS) == []


@pytest.mark.requirement("callouts.designators")
def test_sizes_with_the_same_letters_stay() -> None:
    radii = read(["R1", "R2", "R3", "R4", "R5"])
    assert without_designators(radii, [each.text for each in radii]) == radii
    threads = read(["M3", "M4", "M5", "M6", "PT1/2"])
    assert without_designators(threads, CIRCUIT) == threads
    called = read(RESISTORS, role="dimension")
    assert without_designators(called, CIRCUIT) == called and len(called) == 3


@pytest.mark.requirement("callouts.designators")
def test_contacts_counted_with_a_c_are_no_chamfers_though_leaders_end_at_them() -> None:
    contacts = ["C1", "C2", "C3", "C5", "C6", "C7"]
    found = read(["C2", "C6"], role="leader")
    assert without_designators(found, contacts) == [] and without_designators(found, contacts[:5]) == found


@pytest.mark.requirement("callouts.designators")
def test_gauges_that_leaders_point_at_are_no_pipe_threads_and_make_a_sheet_one_of_circuits() -> None:
    gauges = ["G1", "G4", "G2", "G3"]
    found = [*read(gauges, role="leader"), *read(["R2"])]
    assert len(found) == 5 and without_designators(found, gauges) == []
    pipes = read(["G1", "G2", "G1/2", "G3/4"], role="leader")
    assert without_designators(pipes, [each.text for each in pipes]) == pipes


@pytest.mark.requirement("callouts.designators")
def test_pins_values_and_parts_of_a_circuit_are_no_sizes() -> None:
    names = read(["R11129", "□□R137", "R84_D", "PF4_Row5", "100R", "4k7", "49R9", "SF1", "2 R14"])
    assert names and without_designators(names, CIRCUIT) == []


@pytest.mark.requirement("callouts.designators")
def test_resistors_and_capacitors_beside_one_part_of_each_other_kind_are_a_circuit() -> None:
    radii = read(["R1", "R3", "R4", "R9"])
    capacitors = ["C1", "C4", "C6", "C9"]
    texts = [*(each.text for each in radii), *capacitors, "U4", "J1", "PS1"]
    assert len(radii) == 4 and without_designators(radii, texts) == []
    assert without_designators(radii, texts[:-1]) == radii, "views B4 and A1 of a part with chamfers"
    assert without_designators(radii, [text for text in texts if text not in capacitors[1:]]) == radii


@pytest.mark.requirement("callouts.designators")
@pytest.mark.parametrize("file", ["File: silencer.kicad_pcb", "AMP.PcbDoc", "board.brd"])
def test_a_sheet_that_a_program_for_boards_printed_is_one_of_circuits(file: str) -> None:
    found, pointed = read(["R1", "R2", "R2"]), read(["R3"], role="leader")
    assert len(found) == 3 and without_designators(found, ["R1", "R2", file]) == []
    assert without_designators(found, ["R1", "R2", "File: silencer.dwg"]) == found
    assert len(pointed) == 1 and without_designators(pointed, ["R3", file]) == pointed


@pytest.mark.requirement("callouts.designators")
def test_a_long_series_of_letters_with_numbers_is_no_series_of_radii() -> None:
    zones = read([f"R{number}" for number in range(1, 10)])
    assert len(zones) == 9 and without_designators(zones, [each.text for each in zones]) == []


@pytest.mark.requirement("callouts.designators")
def test_resistors_at_wires_are_no_radii_on_a_circuit_that_counts_its_parts() -> None:
    names = [*(f"R{number}" for number in range(1, 12)), "D1", "D2", "K1", "K2", "C2", "C9"]
    found = read(["R4", "R11", "120R", "6k8", "C9"], role="dimension")
    assert len(found) == 5
    assert without_designators(found, names) == []
    assert without_designators(found, ["R4", "R11", "120R", "6k8", "C9"], of_document=names) == []
    twice = read(["R4"], role="dimension")
    assert without_designators(twice, [*names, "R4"]) == twice  # one of them may be the radius of the board


@pytest.mark.requirement("callouts.designators")
def test_resistors_at_wires_are_no_radii_beside_capacitors_that_count_up() -> None:
    resistors = [f"R{number}" for number in range(2, 12)]
    found = read(["R4", "330R"], role="dimension")
    assert without_designators(found, [*resistors, "330R", *(f"C{number}" for number in range(3, 10))]) == []
    chamfered = [*resistors, "330R", *(f"C{number}" for number in range(1, 6))]
    assert len(found) == 2 and without_designators(found, chamfered) == found


@pytest.mark.requirement("callouts.designators")
def test_radii_at_dimension_lines_of_a_part_stay_beside_the_names_of_its_sections() -> None:
    radii = read(["R1", "R2", "R3", "R5", "R6", "R8"], role="dimension")
    assert without_designators(radii, [*(each.text for each in radii), "H7", "H8", "N6", "N7", "A1"]) == radii


@pytest.mark.requirement("callouts.designators")
def test_where_m1_stands_alone_other_numbers_behind_an_m_are_no_threads() -> None:
    mounts = read(["M2", "M3-1", "M5"])
    assert len(mounts) == 3 and without_designators(mounts, ["M1", "M2", "M3-1", "M5"]) == []
    assert without_designators(mounts, ["M2", "M3-1", "M5"]) == mounts
    sure = [*read(["M3 THRU"]), *read(["M3"], role="leader")]
    assert len(sure) == 2 and without_designators(sure, ["M1"]) == sure


@pytest.mark.requirement("callouts.tables")
def test_figures_beside_words_in_a_table_of_parameters_are_no_callouts() -> None:
    form = Form()
    form.text(200, 200, "32 ±0.1", 3.5)
    rows = [
        ("Torkel", "W", "44.5 ±0.02"),
        ("Brisma", "q", "3"),
        ("Fendor", "", ""),
        ("Hosk", "aa", "7.5 -0.1 -0.3"),
        ("Lumbel", "v", "R4"),
    ]
    for number, row in enumerate(reversed(rows)):
        form.row(40, 40 + 9 * number, 9, [(30, text) for text in row])
    meaning = DrawingSteps(Drawing("pdf", Units(name="point", found="declared"), [form.sheet()])).interpret()
    assert [(found.type, found.text) for found in meaning.callouts or ()] == [("tolerance", "32 ±0.1")]


@pytest.mark.requirement("callouts.tables")
def test_cells_of_a_table_of_no_known_heading_are_no_callouts() -> None:
    form = Form()
    form.text(200, 200, "R12", 3.5)
    rows = [("Ref", "Wert", "Bauform"), ("R1", "10k", "0603"), ("R2", "4k7", "0603"), ("C1", "100n", "0402")]
    for number, row in enumerate(reversed(rows)):
        form.row(40, 40 + 9 * number, 9, [(30, text) for text in row])
    meaning = DrawingSteps(Drawing("pdf", Units(name="point", found="declared"), [form.sheet()])).interpret()
    assert [(found.type, found.text) for found in meaning.callouts or ()] == [("radius", "R12")]


@pytest.mark.requirement("callouts.tables")
def test_figures_under_heads_of_words_are_no_callouts_though_their_names_have_figures() -> None:
    form = Form()
    form.text(200, 200, "18 ±0.1", 3.5)
    rows = [("ORT", "WERT"), ("H1 (AUF)", "5.4 ±0.2"), ("H2 (ZU)", "41.7 ±0.2"), ("HUB 3", "36.3")]
    for number, row in enumerate(reversed(rows)):
        form.row(40, 40 + 9 * number, 9, [(30, text) for text in row])
    meaning = DrawingSteps(Drawing("pdf", Units(name="point", found="declared"), [form.sheet()])).interpret()
    assert [(found.type, found.text) for found in meaning.callouts or ()] == [("tolerance", "18 ±0.1")]


@pytest.mark.requirement("callouts.tables")
def test_what_one_cell_says_for_several_rows_of_a_table_is_no_callout() -> None:
    form = Form()
    form.text(200, 200, "M16", 3.5)
    for number, name in enumerate(("4", "3", "2", "1")):
        form.row(40, 40 + 9 * number, 9, [(15, name), (20, "-70"), (20, "35")])
    form.row(95, 40, 36, [(30, "M12 Gewinde")])
    meaning = DrawingSteps(Drawing("pdf", Units(name="point", found="declared"), [form.sheet()])).interpret()
    assert [(found.type, found.text) for found in meaning.callouts or ()] == [("thread", "M16")]
