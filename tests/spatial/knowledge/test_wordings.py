"""Wordings that are told by their stems first."""

from __future__ import annotations

import re
import sys

import pytest

from spatial.knowledge import patterns, vocabulary
from spatial.knowledge.wordings import Wordings, folded, stem_of

KEYS = ["notice", "advertisement", "tolerance_box"]
pytestmark = pytest.mark.requirement("notes.notices")


@pytest.mark.parametrize(
    ("fragment", "stem"),
    [
        ("without (?:the )*consent", "without "),
        ("(?:not|never) be copied", " be copied"),
        (r"\bSTRASSE?n[(|]x", "strass"),
        ("ver ?sion(?:a|b(?:c|d))", "sion"),
        ("a|without", ""),
        (r"\x27without", ""),
        ("(?:licen[cs]e)", ""),
        ("無断", "無断"),
    ],
)
def test_a_stem_is_what_a_wording_cannot_be_without(fragment: str, stem: str) -> None:
    assert stem_of(fragment) == stem


@pytest.mark.parametrize("key", KEYS)
def test_signs_that_are_the_same_to_a_pattern_are_the_same_in_a_stem(key: str) -> None:
    every = "".join(map(chr, [*range(0xD800), *range(0xE000, sys.maxunicode + 1)]))
    signs = {sign for fragment in patterns.fragments(key) if stem_of(fragment) for sign in fragment if sign.isalpha()}
    for sign in sorted(signs):
        same = re.findall(sign, every, re.IGNORECASE)
        assert {folded(each) for each in same} == {folded(sign)}


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(
    "text",
    [
        "THIS DRAWING IS THE PROPERTY OF ACME AND MAY NOT BE COPIED",
        "UNLESS OTHERWISE SPECIFIED",
        "ohne Genehmigung",
        "WİTHOUT OUR CONSENT",
        "无断転載",
        "2X Ø12.5 H7 THRU",
        "Made with a student version",
        "",
    ],
)
def test_wordings_stand_where_their_alternatives_are_found(key: str, text: str) -> None:
    found = re.search(vocabulary.joined(patterns.fragments(key)), text, re.IGNORECASE)
    assert Wordings(patterns.fragments(key)).stand_in(text) == (found is not None)


@pytest.mark.parametrize("key", ["note_heading", "note_subject"])
def test_no_heading_of_notes_begins_with_a_figure(key: str) -> None:
    """`is_heading` looks at nothing that does."""
    begins = re.compile(r"[^\W\d_]|\(\?:[^\W\d_]|\(\?:\(\?:[^\W\d_]|\(\?!")
    assert not [fragment for fragment in patterns.fragments(key) if not begins.match(fragment)]
