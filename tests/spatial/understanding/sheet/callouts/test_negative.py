"""What stands on drawings and is no callout."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.extract import extract_callouts
from tests.spatial.understanding.sheet.callouts.test_callouts import label

PLAIN_SIZES = """28|90° R|28**|176|66,5|0.45|12.5|.750|45°|135°|36°|30°30'|2X 45°|1 1/2"|2'-6"|100|1000|5|17|3 mm|2 1/2" TYP.|12 TYP|
6X 25|4 x 20|(2X)|(16X)|□10|2X 12.5|
10 20|120°|7 mm|0,29|604,4|Ø0|⌴0|□⌴0-0-0-0|⌴Ø0 ↧2"""
PROSE = """Deburr and break sharp edges 0,1...0,3 mm|Inner bending R = 2,4. K-Factor = 0,47.|
General tolerance DIN ISO 2768 - medium.|R=2,4 K=0,47|-0.3 -0.1|+0.2|All dimensions are in mm.|
General tolerances ±0.05mm|UNLESS OTHERWISE SPECIFIED ±0.1|DO NOT SCALE DRAWING|REMOVE ALL BURRS AND SHARP EDGES R0.2 MAX|
BREAK ALL EDGES 0.5 MAX|
ALL FILLETS R3 UNLESS NOTED|Coating: enamel powder white, glossy RAL 9016.|OPEN HINGE TORQUE:3.3 ±0.5 kg-f/cm|
HEAT TREAT TO 58-62 HRC|HARDNESS 45 ±2 HRC|
Material thickness 2.0 mm|Sheet 2.0 Steel EN 1.0114|Weight: 0.543 kg|Mass 12.5 kg|Area 120 cm²|MAX SPEED 3000 rpm|MAX LOAD 50 kg|
Max. pressure 10 bar|24 VDC ±10%|
TORQUE 12 ±1 Nm|Temperature 20 °C|SURFACE AREA 1.25 m²|PRESS FIT PIN BEFORE ASSEMBLY|SEE NOTE 3|NOTE 4|PART MUST BE FREE OF OIL|
THIRD ANGLE PROJECTION|
Entgraten und Kanten brechen|Alle Radien R2|Allgemeintoleranzen ISO 2768-mK|Kanten gebrochen 0,2 x 45°|Werkstoff 1.4301|
Oberfläche verzinkt 8 µm|
TOLERANCES: .X ±.1 .XX ±.01 .XXX ±.005|LINEAR ±0.1|ANGULAR ±1°|300 ABOVE: ±0.20|QUANTITY 4|Total of 10 PEM self clinching nut M3|
The rivet can not protrude the plane|
Fit per ISO 286|finish per MIL-STD-171|USE LOCTITE 243 ON ALL SCREWS|INSTALL 4 HELICAL INSERTS|APPLY TORQUE 5 Nm|
LASER ENGRAVE TEXT 3 mm HIGH|5333 through 5388|1N5333B through 1N5388B|12 THRU 15|SHEETS 2 THROUGH 4"""
NAMES = """M1|SECTION A-A|DETAIL A (2:1)|DETAIL B|SCALE 1:2|MAßSTAB 1 : 1|SCHNITT B-B|VIEW C|A-A|B-B (2 : 1)|A|B1|C1|C12|R|Ø|x|-|
*|**|(A)|(1)|(2)|(2020)|(√)|
11.8.2020|2020-09-24|4/11/2025|12-13-10|Jun-27-23|01.02.2023|HEL-03-01009-00|MMP.03.00.00.004|AM3BA000J00|999107001_01-C-A|
Keyence_Lift-12.19|CW750-001|FA0004|
GFW30_HINGE_R_AXIS|(813)925-0144|+49 89 1234567|+1 (555) 123-4567|A4|A3|A0|ISO 2768-mK|DIN 6|EN 10204|ISO 8015|ASME Y14.5-2018|
DIN EN ISO 1302|
3.3535 (EN-AW 5154A)|37Cr4|1.4301|S235JR|AlMg3|42CrMo4|SUS304|FE8NI|AISI 316L|6061-T6|Center Pulley AT3 T10|RAL 9016|REV B|REV 2|
1 OF 1|SHEET 2|2/3|1 of 4|
ITEM 4|POS 3|QTY 6|01|00|0144|T10|AT3|SK7|J. MARTIN|M. MÜLLER|R. SMITH|C. 2020|www.example.com|user@example.com|$12.50|© 2020|
V1.2|X1|Y2"""
FASTENERS = """6 x PEM self clinching nut M3 CLA-M3-2 according to STEP|M8 HEX NUT|M6x20 SOCKET HEAD CAP SCREW|M5 WASHER|
M4x10 DIN 912|M10 ISO 4762|
SCREW M6x16|Schraube M8x30|Mutter M5|M5 Scheibe|#12x1 7/8" PH|1/4"x1" hex head|Sechskantschraube M12|DIN 912 M6x20|
ISO 7089 - 8 - 200 HV|O-RING 20x2|BEARING 6204|
PIN Ø4x20 DIN 7|Dowel pin 5 m6 x 20"""
BENDS = """Up 90° R 2.4|Down 90°  R 1.5|UP 90° R 1|DOWN 45.00° R 0.5|Biegung 90° R2|BEND UP 90° R 3|BEND DOWN R2|nach oben 90° R1"""
STRINGS = [
    text.strip()
    for group in (PLAIN_SIZES, PROSE, NAMES, FASTENERS, BENDS)
    for text in group.replace("\n", "").split("|")
    if text.strip()
]


@pytest.mark.requirement("callouts.negative")
def test_the_list_is_long() -> None:
    assert len(set(STRINGS)) >= 150


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize("text", STRINGS)
def test_what_is_no_callout_gives_none(text: str) -> None:
    assert extract_callouts(label(text, "free"), Context()) == []


@pytest.mark.requirement("callouts.hostile")
@settings(max_examples=300, deadline=None)
@given(
    st.text(alphabet="Ø⌴⌵↧R0123456789.,xX-/+±°()[]MHhTUNCF\" '#*\n⌖Ⓜ|A", max_size=60),
    st.sampled_from(["free", "leader", "dimension", "frame", "datum"]),
)
def test_any_text_is_read(text: str, role: str) -> None:
    for callout in extract_callouts(label(text, role), Context(unit="millimeter")):
        assert callout.model_dump_json(exclude_none=True)


_TOKENS = re.findall(
    r"\S+",
    "Ø ⌴ ⌵ ↧ □ R SR C M8 MJ x × ± + - / * ° ' ( ) [ ] . , ; : 0 00 1 5 12 .0.12 0. .5 1,5 1.5.2 ,, .. 10.0 1/2 3/0 99999 "
    "THRU DRILL #25 #99 F CBORE CSK SF DEEP TYP MAX REF H7 L0 IT14 ±IT7/2 Ra Rz √ ▽▽ N7 RMS Tr40x0 UNC 1/4-0 #10-32 ACME NPT "
    "G1/2 W PG Rd HOLES 4X 4- PLCS EQ B.C. PCD LH STARTS Ph0P0 отв. 深 孔 キリ 倒角 ⁺⁰·² ₋₀ ⁺,· ½ ⌖ // Ⓜ mm in 0'0 0° FULL FILLET 以下 ~ …",
)


@pytest.mark.requirement("callouts.hostile")
@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(_TOKENS), st.sampled_from(["", " ", "\n"])), max_size=9),
    st.sampled_from(["free", "leader", "dimension", "frame", "datum", "surface_texture"]),
    st.sampled_from([None, "diameter", "radius"]),
    st.sampled_from([None, "inch", "millimeter"]),
)
def test_any_text_of_signs_and_words_of_callouts_is_read(
    tokens: list[tuple[str, str]], role: str, measured: Any, unit: Any
) -> None:
    text = "".join(token + blank for token, blank in tokens)
    for callout in extract_callouts(label(text, role, measured=measured), Context(unit=unit)):
        assert callout.model_dump_json(exclude_none=True)


@pytest.mark.requirement("callouts.hostile")
@pytest.mark.parametrize(
    "text",
    [
        "Ø" * 100_000,
        "1/" * 50_000,
        "(" * 100_000,
        "4X " * 130,
        "M8 " * 133,
        "0" * 400,
        "+-" * 200,
        "1 " * 200,
        " " * 399 + "1",
        "MAX " * 99,
    ],
)
def test_long_texts_cost_little(text: str) -> None:
    began = time.process_time()
    extract_callouts(label(text, "leader"), Context())
    assert time.process_time() - began < 2


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize("text", ["2 NS, 2 FS", "G3/4油路管接头", "M4内六角圆柱头螺钉"])
def test_sides_and_names_of_bought_parts_are_no_threads(text: str) -> None:
    assert extract_callouts(label(text), Context()) == []


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize("text", ["6/32", "SHEET 4/40", "1/64 TAP", "3/32 TAP", "5/64 TAP DRILL"])
def test_fractions_and_counts_of_sheets_are_no_numbered_threads(text: str) -> None:
    assert "thread" not in [each.type for each in extract_callouts(label(text, "leader"), Context())]


@pytest.mark.requirement("callouts.negative")
@pytest.mark.parametrize(
    ("text", "is_tolerance"), [("5264 -17", False), ("425 -1", True), ("425 -1.0", True), ("60 -0.25", True)]
)
def test_ends_of_part_numbers_are_no_deviations(text: str, is_tolerance: bool) -> None:
    assert ("tolerance" in [each.type for each in extract_callouts(label(text), Context())]) == is_tolerance
