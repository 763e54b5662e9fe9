"""Leave one office out: the sheets of each office, read with a vocabulary that has learned nothing from them.

    python -m benchmarks.accuracy --leave-one-out

Glossary
  office   who drew a sheet: the owner of the repository that it comes from.
  learned  of a word of spatial/knowledge/labels: it occurs on the sheets of one office and of no other, and no standard prescribes it
           (the sections `standard` of the files name what standards prescribe).

Words are all that can be taken away: the thresholds of the readers were chosen by hand, over years, with all of these sheets in view.
Each office is read in a process of its own, by a copy of the package that differs in its words alone.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from benchmarks.report import Table
from spatial.knowledge import table_headers, title_labels, vocabulary
from spatial.pipeline.read import read_file
from tests.accuracy.board import AIMS, HEADINGS, MAIN, ROOT, Board, Known, scored

PACKAGE: Final = ROOT / "spatial"
LABELS: Final = Path("knowledge") / "labels"
FRAGMENTS: Final = frozenset({"pattern", "table_title"})
"""Sections whose words are regular expressions."""
STANDARD: Final = "standard"
_NEVER: Final = "(?!)"
"""A fragment that matches nothing, in place of the last one of a key."""


@dataclass(frozen=True, order=True)
class Word:
    """One word of one file of the vocabulary."""

    language: str
    section: str
    key: str
    text: str


def by_office(sheets: Iterable[Known]) -> dict[str, list[Known]]:
    """Sheets by who drew them, each sheet once."""
    found: dict[str, dict[str, Known]] = defaultdict(dict)
    for known in sheets:
        if known.office:
            found[known.office].setdefault(known.truth["origin"]["sha256"], known)
    return {office: list(own.values()) for office, own in sorted(found.items())}


def left_out(sheets: Iterable[Known]) -> tuple[dict[str, Board], dict[str, list[Word]]]:
    """Of each office the scores of its sheets without what was learned from them, and the words that were taken away."""
    offices = by_office(sheets)
    learned = learned_words({office: [lines(known) for known in own] for office, own in offices.items()})
    boards = {
        office: _scored_without(own, learned[office]) if learned[office] else scored(iter(own))
        for office, own in offices.items()
    }
    return boards, learned


def lines(known: Known) -> list[str]:
    """All lettering of a sheet, line by line, in the order of the file."""
    texts = read_file(known.data, known.name).reading.structure.annotations or []
    return [line.strip() for text in texts for line in (text.text or "").splitlines() if line.strip()]


def learned_words(texts: Mapping[str, Sequence[Sequence[str]]]) -> dict[str, list[Word]]:
    """Of each office the words that occur on its sheets alone and in no standard.

    texts: office to the lines of each of its sheets.
    """
    prescribed = _prescribed()
    words = [word for word in _words() if (word.language, _plain(word.text)) not in prescribed]
    seen: dict[Word, set[str]] = defaultdict(set)
    for office, sheets in texts.items():
        for lettering in map(_Lettering, sheets):
            for word in words:
                if lettering.has(word):
                    seen[word].add(office)
    return {office: sorted(word for word, where in seen.items() if where == {office}) for office in texts}


def _words() -> Iterator[Word]:
    for language, sections in vocabulary.LANGUAGES.items():
        for section, keys in sections.items():
            if section != STANDARD:
                yield from (Word(language, section, key, text) for key, texts in keys.items() for text in texts)


def _prescribed() -> frozenset[tuple[str, str]]:
    """Language and word of all that a standard prescribes."""
    return frozenset(
        (language, _plain(text))
        for language, sections in vocabulary.LANGUAGES.items()
        for texts in sections.get(STANDARD, {}).values()
        for text in texts
    )


def _plain(text: str) -> str:
    return title_labels.folded(text) or text.casefold()


_PARTS: Final = re.compile(r"[:/|=\uff1a]|\s{3,}|\t|\s[-–—]\s")


class _Lettering:
    """The lines of one sheet, as words of each section are looked for in them."""

    def __init__(self, sheet: Sequence[str]) -> None:
        self._lines = sheet
        wrapped = [f"{first} {second}" for first, second in pairwise(sheet)]
        parts = [part for line in sheet for part in _PARTS.split(line)]
        self._beginnings = {
            " ".join(words[:count])
            for line in [*sheet, *parts]
            for words in [title_labels.folded(line).split()]
            for count in range(1, len(words) + 1)
        } | {title_labels.folded(line) for line in wrapped}
        self._headings = {table_headers.normal(line) for line in [*sheet, *parts, *wrapped]}
        self._tokens = {token for line in sheet for token in re.findall(r"[^\W_]+", line.casefold())}

    def has(self, word: Word) -> bool:
        """Whether the sheet uses `word` as what its section says it is."""
        if word.section in FRAGMENTS:
            return self._matches(word.text)
        if word.section in ("table_column", "row_label"):
            return table_headers.normal(word.text) in self._headings
        folded = title_labels.folded(word.text) in self._beginnings
        return folded or (word.section == "words" and word.text.casefold() in self._tokens)

    def _matches(self, fragment: str) -> bool:
        search = _form(fragment).search
        return any(map(search, self._lines))


@cache
def _form(fragment: str) -> re.Pattern[str]:
    """Thousands, each asked of every sheet: `re` keeps only some hundred."""
    return re.compile(fragment, re.IGNORECASE)


def package_without(folder: Path, words: Iterable[Word]) -> None:
    """Make in `folder` a tree of links to this project in which `words` are missing from the vocabulary."""
    for entry in ROOT.iterdir():
        if entry.is_dir() and not entry.name.startswith(".") and entry != PACKAGE:
            (folder / entry.name).symlink_to(entry)
    target, source = folder / PACKAGE.name, PACKAGE
    for part in (*LABELS.parts, None):
        target.mkdir()
        for entry in source.iterdir():
            if entry.name not in (part, "__pycache__") and part is not None:
                (target / entry.name).symlink_to(entry)
        if part is not None:
            target, source = target / part, source / part
    for name, sections in reduced({path.stem: _sections(path) for path in source.glob("*.toml")}, words).items():
        (target / f"{name}.toml").write_text(_toml(sections), "utf-8")


def _sections(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text("utf-8"))


def reduced(languages: dict[str, dict[str, Any]], words: Iterable[Word]) -> dict[str, dict[str, Any]]:
    """`languages` without `words`; a key that loses its last word in all languages keeps one that no sheet has."""
    gone = set(words)
    kept: dict[str, dict[str, dict[str, list[str]]]] = {}
    for language, sections in languages.items():
        kept[language] = {
            section: {
                key: left
                for key, texts in keys.items()
                if (left := [text for text in texts if Word(language, section, key, text) not in gone])
            }
            for section, keys in sections.items()
        }
    for word in gone:
        if not any(word.key in sections.get(word.section, {}) for sections in kept.values()):
            never = _NEVER if word.section in FRAGMENTS else f"zqx {word.section} {word.key}"
            kept[word.language].setdefault(word.section, {})[word.key] = [never]
    return kept


def _toml(sections: Mapping[str, Mapping[str, Sequence[str]]]) -> str:
    lines = []
    for section, keys in sections.items():
        lines.append(f"[{section}]")
        lines += [
            f"{json.dumps(key, ensure_ascii=False)} = {json.dumps(texts, ensure_ascii=False)}"
            for key, texts in keys.items()
        ]
    return "\n".join(lines) + "\n"


def _scored_without(sheets: Sequence[Known], words: Sequence[Word]) -> Board:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        package_without(folder, words)
        answer = subprocess.run(
            [sys.executable, "-m", "benchmarks.leave_one_out"],
            input=pickle.dumps(list(sheets)),
            stdout=subprocess.PIPE,
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
            check=True,
        )
    board = pickle.loads(answer.stdout)
    assert isinstance(board, Board)
    return board


def table(ordinary: Mapping[str, Board], without: Mapping[str, Board], learned: Mapping[str, Sequence[Word]]) -> Table:
    """The figures of all sheets and of each office, with the whole vocabulary and without what the office taught."""
    words = {office: len(own) for office, own in learned.items()}
    boards = [(f"{len(without)} offices", together(ordinary), together(without), sum(words.values()))]
    boards += [(office, ordinary[office], without[office], words[office]) for office in without]
    rows = [
        (name, str(len(before.sheets)), str(count), *(_change(before, after, aim) for aim in AIMS))
        for name, before, after, count in boards
    ]
    note = "Macro over sheets: with all words → without those that only this office's sheets have and no standard prescribes."
    return Table("Accuracy, each office left out", ("office", "sheets", "words taken away", *AIMS), rows, note)


def totals(ordinary: Mapping[str, Board], without: Mapping[str, Board]) -> Table:
    """The facts of all sheets that are no pictures, with the whole vocabulary and without what each office taught."""
    before, after = (drawn(together(boards)).total().tallies for boards in (ordinary, without))
    rows = [
        (name, words, *map(str, tally.counts), *(f"{figure:.3f}" for figure in tally.figures))
        for name in MAIN
        for words, tally in (("all", before[name]), ("left out", after[name]))
        if before[name].asked
    ]
    note = f"Micro over {len(drawn(together(without)).sheets)} sheets; pictures are not among them, of which nothing is read."
    return Table("Accuracy, each office left out, all facts together", ("what", "words", *HEADINGS[1:-1]), rows, note)


def together(boards: Mapping[str, Board]) -> Board:
    """The sheets of all offices on one board."""
    return Board(
        sheets={f"{office}/{name}": score for office, board in boards.items() for name, score in board.sheets.items()},
        pictures={f"{office}/{name}" for office, board in boards.items() for name in board.pictures},
    )


def drawn(board: Board) -> Board:
    """Its sheets whose lettering is not in pictures."""
    return Board(sheets={name: score for name, score in board.sheets.items() if name not in board.pictures})


def _change(before: Board, after: Board, aim: str) -> str:
    if aim not in before.aims() and aim not in after.aims():
        return "–"
    name, figure = AIMS[aim]
    return f"{before.macro(name, figure):.3f} → {after.macro(name, figure):.3f}"


def main() -> None:
    """Score the sheets on standard input with the package of the folder this runs in; the board goes to standard output."""
    sheets: list[Known] = pickle.load(sys.stdin.buffer)
    sys.stdout.buffer.write(pickle.dumps(scored(iter(sheets))))


if __name__ == "__main__":
    main()
