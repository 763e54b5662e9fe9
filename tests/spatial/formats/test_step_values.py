"""Parameters of Part 21 instances: ISO 10303-21:2016, clauses 6.4 and 10, and what hostile files write instead."""

from __future__ import annotations

import pytest

from spatial.formats.step.instances import Instances
from spatial.formats.step.part21 import Part21
from spatial.formats.step.values import DEPTH, Enumeration, Malformed, Reference, Typed, decoded, values_of

FILE = "ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\n{}\nENDSEC;\nEND-ISO-10303-21;\n"


def instances(data: str) -> Instances:
    return Instances(Part21(FILE.format(data).encode("latin-1")))


@pytest.mark.requirement("pmi.part21")
@pytest.mark.parametrize(
    ("text", "values"),
    [
        (b"A(1,-2.5E-1,$,*,.T.,#7)", [Typed("a", [1, -0.25, None, None, Enumeration("t"), Reference(7)])]),
        (b"A('it''s',(1.,(2.)))", [Typed("a", ["it's", [1.0, [2.0]]])]),
        (b"A(LENGTH_MEASURE(3.))", [Typed("a", [Typed("length_measure", [3.0])])]),
        (b'A("0FF")', [Typed("a", [None])]),
        (b"(A() B(1))", [[Typed("a", []), Typed("b", [1])]]),
        (b"A(1E999)", [Typed("a", [None])]),
    ],
)
def test_parameters(text: bytes, values: list[object]) -> None:
    assert values_of(text, "utf-8") == values


@pytest.mark.requirement("pmi.part21")
@pytest.mark.parametrize(
    ("written", "read"),
    [
        (rb"\X2\2300\X0\12", "⌀12"),
        (rb"\X4\0001F600\X0\\", "😀\\"),
        (rb"caf\X\E9", "café"),
        (rb"caf\S\i", "café"),
        (rb"\PE\\S\0", "А"),
        (rb"a\\b\N\c", "a\\b\nc"),
        (b"Gr\xc3\xb6\xc3\x9fe", "Größe"),
        (rb"\X2\D800\X0\end", "\ufffdend"),
        (rb"\X4\7FFFFFFF\X0\end", "\ufffdend"),
    ],
)
def test_strings(written: bytes, read: str) -> None:
    assert decoded(written, "utf-8") == read


@pytest.mark.requirement("pmi.part21")
@pytest.mark.parametrize("text", [b"A(1", b"A(1))", b"A(?)", b"(" * (DEPTH + 3), b"A('open)"])
def test_malformed_parameters(text: bytes) -> None:
    with pytest.raises(Malformed):
        values_of(text, "utf-8")


@pytest.mark.requirement("pmi.part21")
def test_simple_and_complex_instances_read_the_same() -> None:
    file = instances(
        "#1=POSITION_TOLERANCE('a','',#9,#8);\n"
        "#2=(GEOMETRIC_TOLERANCE('a','',#9,#8)POSITION_TOLERANCE());\n"
        "#3=DIMENSIONAL_SIZE_WITH_DATUM_FEATURE('f','d',#8,.T.,#3,'diameter');\n"
    )
    simple, complex_, both = (file.get(number) for number in (1, 2, 3))
    assert simple
    assert complex_
    assert both
    assert simple.parts == complex_.parts
    assert [each.number for each in file.of("geometric_tolerance")] == [1, 2]
    assert (both.text("shape_aspect.name"), both.text("dimensional_size.name")) == ("f", "diameter")
    assert both.number_at("dimensional_size.applies_to") == 3


@pytest.mark.requirement("pmi.part21")
def test_strings_that_look_like_instances_are_strings() -> None:
    file = instances("#1=A('x;#2=DATUM(1);');\n#3=DATUM('',$,#9,.F.,';');\n")
    assert [each.number for each in file.of("datum")] == [3]
    assert 2 not in file


@pytest.mark.requirement("pmi.part21")
def test_an_instance_that_is_malformed_costs_no_other() -> None:
    file = instances("#1=DATUM('',$,#9,.F.,'A';\n#2=DATUM('',$,#9,.F.,'B');\n")
    assert [each.text("datum.identification") for each in file.of("datum")] == ["B"]
    assert file.malformed == [1]
    assert file.get(77) is None
    assert file.missing == [77]


@pytest.mark.requirement("pmi.part21")
def test_a_quotation_mark_without_partner_ends_no_search() -> None:
    hostile = "#1=A'" * 200_000
    file = instances(hostile + "\n#2=DATUM('',$,#9,.F.,'B');")
    assert file.of("datum_system") == []
