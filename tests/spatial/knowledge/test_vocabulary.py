"""The words of drawings by language: files that are found by themselves, and what is wrong with a malformed one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hatchling.builders.wheel import WheelBuilder

from spatial.knowledge import patterns, title_labels, vocabulary
from spatial.knowledge.vocabulary import VocabularyError
from tests.support.stack import ROOT

FILES = sorted(vocabulary.FOLDER.glob("*.toml"))


def _written(folder: Path, text: str, name: str = "xx") -> Path:
    (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.requirement("vocabulary.files")
def test_every_file_is_a_language_and_states_its_source() -> None:
    assert set(vocabulary.LANGUAGES) == {path.stem for path in FILES}
    for path in FILES:
        first = path.read_text("utf-8").splitlines()[:3]
        assert all(line.startswith("#") for line in first[:2]), (
            f"{path.name} does not begin with two lines of comment: language, source"
        )
        assert path.stem == "any" or re.search(r"\bSources?: ", " ".join(first)), (
            f"{path.name} does not name its source"
        )


@pytest.mark.requirement("vocabulary.files")
def test_the_wheel_and_the_images_have_the_files() -> None:
    packed = {each.distribution_path for each in WheelBuilder(str(ROOT)).recurse_included_files()}
    assert {str(path.relative_to(ROOT)) for path in FILES} <= packed
    for image in ("Dockerfile.converter", "Dockerfile.service"):
        assert "COPY spatial spatial\n" in (ROOT / "deployments" / image).read_text()
    assert "!spatial/" in (ROOT / ".dockerignore").read_text().splitlines()


@pytest.mark.requirement("vocabulary.language")
def test_a_new_file_is_a_new_language(tmp_path: Path) -> None:
    added = vocabulary.load(_written(tmp_path, "[title_block]\nscale = ['měrítko', 'ölçek']\n", "tr"))
    known = title_labels.known_labels({**vocabulary.LANGUAGES, **added})
    assert known[title_labels.folded("ÖLÇEK")].key == "scale"


@pytest.mark.requirement("vocabulary.malformed")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[title_block\n", r"labels/xx.toml is not TOML in UTF-8: .*; correct the file"),
        ("[titles]\nscale = ['a']\n", r"labels/xx.toml: \[titles\] is not a section; use one of words, title_block"),
        ("scale = ['a']\n", r"labels/xx.toml: \[scale\] is not a section"),
        (
            "[title_block]\nscale = 'a'\n",
            r"labels/xx.toml: \[title_block\] scale must be a list of words; write scale = ",
        ),
        ("[title_block]\nscale = []\n", r"scale must be a list of words"),
        ("[title_block]\nscale = ['a', ' ']\n", r"scale must be a list of words"),
        ("[title_block]\nscale = ['a', 'b', 'a']\n", r"scale lists 'a' twice; remove one"),
    ],
)
def test_a_malformed_file_is_refused_with_what_to_do(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(VocabularyError, match=reason):
        vocabulary.load(_written(tmp_path, text))


@pytest.mark.requirement("vocabulary.malformed")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (
            "[title_block]\nscales = ['a']\n",
            r"\[title_block\] scales is unknown; correct the key, or add a record of that name to spatial/knowledge/fields.py",
        ),
        (
            "[title_block]\nscale = ['skala']\nsheet = ['Skala:']\n",
            r"labels/xx.toml: sheet: 'Skala:' reads as scale: 'skala' does; remove one of them",
        ),
        (
            "[title_block]\nscale = ['skala']\n[title_block_weak]\nscale = ['SKALA']\n",
            r"scale: 'SKALA' reads as scale: 'skala' does; remove one of them",
        ),
        ("[title_block]\nscale = ['--']\n", r"scale: '--' has neither letters nor digits; remove it"),
    ],
)
def test_labels_that_contradict_each_other_are_refused(tmp_path: Path, text: str, reason: str) -> None:
    languages = {**vocabulary.LANGUAGES, **vocabulary.load(_written(tmp_path, text))}
    with pytest.raises(VocabularyError, match=reason):
        title_labels.known_labels(languages)


@pytest.mark.requirement("vocabulary.malformed")
def test_a_key_without_words_is_refused() -> None:
    with pytest.raises(VocabularyError, match=r"\[pattern\] seal has no words in any language; add a line seal = "):
        vocabulary.section("pattern", [*patterns.MEANINGS, "seal"], "remove it")


@pytest.mark.requirement("vocabulary.malformed")
@pytest.mark.parametrize("section", ["pattern", "table_title"])
@pytest.mark.parametrize("language", vocabulary.LANGUAGES)
def test_every_fragment_is_a_regular_expression(section: str, language: str) -> None:
    for key, fragments in vocabulary.LANGUAGES[language].get(section, {}).items():
        for fragment in fragments:
            compiled = re.compile(vocabulary.joined([fragment]))
            assert compiled.groups == 0, f"labels/{language}.toml: [{section}] {key}: {fragment!r} must not capture"


SCALE_AND_DRAWN = {
    "zh": ("比例", "制图"), "ja": ("尺度", "製図"), "ko": ("척도", "제도"), "tr": ("ÖLÇEK", "ÇİZEN"), "hu": ("MÉRETARÁNY", "RAJZOLTA"),
    "el": ("ΚΛΙΜΑΚΑ", "ΣΧΕΔΙΑΣΗ"), "vi": ("TỶ LỆ", "NGƯỜI VẼ"), "uk": ("МАСШТАБ", "РОЗРОБИВ"), "sk": ("MIERKA", "KRESLIL"),
    "hr": ("MJERILO", "CRTAO"), "fi": ("MITTAKAAVA", "PIIRTÄJÄ"), "lv": ("MĒROGS", "IZPILDĪJA"), "ca": ("ESCALA", "CREAT"),
}  # fmt: skip
"""Two terms of ISO 7200 in the languages whose files hold little more than its terms."""


@pytest.mark.requirement("vocabulary.languages")
@pytest.mark.parametrize("language", SCALE_AND_DRAWN)
def test_the_terms_of_iso_7200_are_known_in_the_language(language: str) -> None:
    for key, word in zip(("scale", "drawn_by"), SCALE_AND_DRAWN[language], strict=True):
        found = title_labels.read(word)
        assert found is not None and (found.key, found.weak) == (key, False)


@pytest.mark.requirement("vocabulary.languages")
@pytest.mark.parametrize("text", ["材料", "材 料", "材　料", "材料：", "재질", "재 질", "材質 :"])
def test_signs_that_are_spread_over_a_cell_are_one_word(text: str) -> None:
    found = title_labels.read(text)
    assert found is not None and found.key == "material"
    assert title_labels.read("材料：Q235") == title_labels.Wording("material", False, "Q235", True)


@pytest.mark.requirement("title.languages")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Zorgel / TITLE", "title"),
        ("Drawn / Zorgel:", "drawn_by"),
        ("J. SMITH / DRAWN BY", None),
        ("Drawn / J. Smith", None),
    ],
)
def test_a_label_beside_its_word_in_a_language_of_no_file_is_told(text: str, key: str | None) -> None:
    found = title_labels.read(text)
    assert (found.key if found else None) == key


@pytest.mark.requirement("title.languages")
@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("T itle", "title"),
        ("PG NO", "sheet"),
        ("Aprobado 2", "approved_by"),
        ("\ufffdHEET", "sheet"),
        ("DE\ufffdIGNED \ufffdY", "drawn_by"),
    ],
)
def test_labels_are_told_with_spaces_inside_with_number_behind_and_with_unread_letters(text: str, key: str) -> None:
    found = title_labels.read(text)
    assert found is not None and found.key == key


@pytest.mark.requirement("title.languages")
@pytest.mark.parametrize("text", ["\ufffd\ufffdTE", "\ufffd", "04\ufffd04\ufffd2019", "BR\ufffdCKET"])
def test_lettering_that_could_be_several_labels_or_none_is_no_label(text: str) -> None:
    assert title_labels.read(text) is None


@pytest.mark.requirement("title.languages")
def test_a_material_may_follow_its_label_with_a_space() -> None:
    assert title_labels.read("材質 A5052") == title_labels.Wording("material", False, "A5052")
    assert title_labels.read("MATERIAL BRACKET") is None
