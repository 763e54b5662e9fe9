"""What is taken away when an office is left out, and what replaces a label in the ablation."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

from benchmarks import ablation
from benchmarks.leave_one_out import Word, learned_words, package_without, reduced, totals
from spatial.knowledge import title_labels, vocabulary
from spatial.models.sheet.drawing import Text
from tests.accuracy.board import Board
from tests.accuracy.score import Score

CUSTOMER = Word("en", "title_block", "customer", "customer")


@pytest.mark.requirement("drawing-accuracy.leave-one-out")
def test_a_word_is_learned_from_the_only_office_that_has_it_unless_a_standard_prescribes_it() -> None:
    texts = {"one": [["CUSTOMER: ACME", "SCALE 1:2", "DRAWN BY"]], "other": [["Client", "SCALE 1:5"]]}
    learned = learned_words(texts)
    assert CUSTOMER in learned["one"] and CUSTOMER not in learned["other"]
    assert not {word.text for word in learned["one"]} & {"scale", "drawn by"}
    both = learned_words({"one": [["CUSTOMER: ACME"]], "other": [["Customer"]]})
    assert CUSTOMER not in both["one"]


@pytest.mark.requirement("drawing-accuracy.leave-one-out")
def test_the_copy_of_the_package_lacks_the_words_and_nothing_else(tmp_path: Path) -> None:
    package_without(tmp_path, [CUSTOMER])
    made = vocabulary.load(tmp_path / "spatial" / "knowledge" / "labels")
    assert "customer" not in made["en"]["title_block"]["customer"]
    assert made["en"]["title_block"]["customer"] == tuple(
        word for word in vocabulary.LANGUAGES["en"]["title_block"]["customer"] if word != "customer"
    )
    assert {name: own for name, own in made.items() if name != "en"} == {
        name: own for name, own in vocabulary.LANGUAGES.items() if name != "en"
    }
    assert (tmp_path / "spatial" / "pipeline").is_symlink()


@pytest.mark.requirement("drawing-accuracy.leave-one-out")
def test_a_key_that_loses_its_last_word_keeps_one_that_no_sheet_has() -> None:
    languages = {"en": {"pattern": {"month": ["jan"]}, "title_block": {"scale": ["scale"]}}}
    words = [Word("en", "pattern", "month", "jan"), Word("en", "title_block", "scale", "scale")]
    assert reduced(languages, words)["en"] == {
        "pattern": {"month": ["(?!)"]}, "title_block": {"scale": ["zqx title_block scale"]},
    }  # fmt: skip


def noted(right: int, missed: int) -> Score:
    score = Score()
    for place in range(right + missed):
        score.note("notes", place < right, "note missed")
    return score


@pytest.mark.requirement("drawing-accuracy.leave-one-out")
def test_totals_are_of_the_facts_of_all_offices_without_those_in_pictures() -> None:
    before = {
        "one": Board({"a": noted(3, 0), "scan": noted(0, 9)}, pictures={"scan"}),
        "other": Board({"a": noted(1, 0)}),
    }
    after = {
        "one": Board({"a": noted(2, 1), "scan": noted(0, 9)}, pictures={"scan"}),
        "other": Board({"a": noted(1, 0)}),
    }
    made = totals(before, after)
    assert [row[:7] for row in made.rows] == [
        ("notes", "all", "4", "0", "0", "1.000", "1.000"),
        ("notes", "left out", "3", "0", "1", "1.000", "0.750"),
    ]
    assert "2 sheets" in made.note


@pytest.mark.requirement("drawing-accuracy.leave-one-out")
@pytest.mark.parametrize("path", sorted(vocabulary.FOLDER.glob("*.toml")), ids=lambda path: path.stem)
def test_what_a_standard_prescribes_is_a_word_of_its_file(path: Path) -> None:
    sections = tomllib.loads(path.read_text("utf-8"))
    standards = sections.pop("standard", {})
    words = {word for keys in sections.values() for texts in keys.values() for word in texts}
    assert {word for texts in standards.values() for word in texts} <= words


@pytest.mark.requirement("drawing-accuracy.ablation")
@pytest.mark.parametrize("label", ["SCALE", "Gezeichnet", "Масштаб", "図番", "DWG. NO."])
def test_an_invented_label_has_the_length_of_the_label_and_is_known_to_nobody(label: str) -> None:
    word = ablation.invented(label)
    assert len(word) == len(label) and word != label and word == ablation.invented(label)
    assert ablation.is_unknown(word)


@pytest.mark.requirement("drawing-accuracy.ablation")
@pytest.mark.parametrize("language", sorted(ablation.LANGUAGES))
def test_the_words_of_other_languages_are_in_no_file_of_the_vocabulary(language: str) -> None:
    assert [word for word in ablation.LANGUAGES[language] if not ablation.is_unknown(word)] == []


@pytest.mark.requirement("drawing-accuracy.ablation")
@pytest.mark.parametrize(
    ("line", "labels"),
    [
        ("SCALE: 1:2", ["SCALE"]),
        ("SHEET 1 OF 2", ["SHEET"]),
        ("DRAWN BY", ["DRAWN BY"]),
        ("Sheet 2.0 Steel", []),
        ("OF", []),
    ],
)
def test_only_labels_are_replaced(line: str, labels: list[str]) -> None:
    assert [line[start:end] for start, end in ablation.spans_of_labels(line)] == labels
    assert all(title_labels.is_label(label) for label in labels)


@pytest.mark.requirement("drawing-accuracy.ablation")
def test_a_replaced_label_of_another_length_has_no_outlines_of_letters_that_are_gone() -> None:
    text = Text("a", "SCALE", 1, (0, 0), 0.0, 2.5, 7.5, (0, 0, 7.5, 2.5), shapes=np.arange(5))
    text = ablation.replaced(text, lambda label: "Zorgfargel")
    assert (text.text, text.shapes) == ("Zorgfargel", None)
    kept = ablation.replaced(Text("b", "1:2", 1, (0, 0), 0.0, 2.5, 7.5, (0, 0, 7.5, 2.5), shapes=np.arange(3)), str)
    assert kept.shapes is not None
