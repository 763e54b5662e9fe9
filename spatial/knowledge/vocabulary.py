"""The words of drawing sheets by language: every TOML file in `labels/` is one language and is found by itself.

Glossary
  section   a table of a file: `title_block`, `pattern`, …
  key       what the words of one line of a section stand for: `scale`, `quantity`, `note_heading`.
  fragment  a regular expression that is one alternative of a larger one; its groups capture nothing.

`docs/title-block.md` describes the sections and how to add a language.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, TypeAlias

Language: TypeAlias = "Mapping[str, Mapping[str, tuple[str, ...]]]"
"""Section to key to words."""

FOLDER: Final = Path(__file__).with_name("labels")

SECTIONS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "words": "words with a meaning of their own between labels, such as all words for `number`",
        "title_block": "labels of the fields of a title block",
        "title_block_weak": "labels that name a field only where no label of title_block does",
        "table_column": "headings of columns by what the columns hold",
        "table_title": "titles by the kind of table, as fragments over text without accents and punctuation",
        "row_label": "labels that stand beside one value, by the table that they belong to",
        "pattern": "fragments; spatial/knowledge/patterns.py says what each key means",
        "callout": "words of callouts, as fragments; spatial/knowledge/callout_words.py says what each key means",
        "standard": "those words of the other sections that a standard prescribes, by its name: no office needs to be seen to know them",
    }
)
"""Section to what it holds."""


class VocabularyError(Exception):
    """A file of the vocabulary is malformed; the message says which, where, and what to do."""


def load(folder: Path = FOLDER) -> Mapping[str, Language]:
    """Code of each language to its sections.

    Raises:
        VocabularyError: a file is no TOML, has an unknown section, or holds something other than lists of different words.
    """
    return MappingProxyType({path.stem: _language(path) for path in sorted(folder.glob("*.toml"))})


def _language(path: Path) -> Language:
    try:
        sections = tomllib.loads(path.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise VocabularyError(f"labels/{path.name} is not TOML in UTF-8: {error}; correct the file") from error
    for name, keys in sections.items():
        if name not in SECTIONS or not isinstance(keys, dict):
            raise VocabularyError(f"labels/{path.name}: [{name}] is not a section; use one of {', '.join(SECTIONS)}")
    return {
        name: {key: _words(f"labels/{path.name}: [{name}] {key}", words) for key, words in keys.items()}
        for name, keys in sections.items()
    }


def _words(place: str, words: Any) -> tuple[str, ...]:
    if not isinstance(words, list) or not words or not all(isinstance(word, str) and word.strip() for word in words):
        raise VocabularyError(f"{place} must be a list of words; write {place.rsplit(' ', 1)[1]} = ['word', 'word']")
    twice = next((word for place, word in enumerate(words) if word in words[:place]), None)
    if twice is not None:
        raise VocabularyError(f"{place} lists {twice!r} twice; remove one")
    return tuple(words)


LANGUAGES: Final = load()


def section(
    name: str,
    keys: Iterable[str],
    remedy: str,
    languages: Mapping[str, Language] = LANGUAGES,
    *,
    needs_words: bool = True,
) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """The words of one section, by key in the order of `keys`, then by language.

    Args:
        name: of the section.
        keys: that the section may have.
        remedy: what to do about a key that is not among them.
        languages: as `load` returns them.
        needs_words: whether each key needs words in one language at least.

    Raises:
        VocabularyError: a file has another key, or a key has none of the words that it needs.
    """
    known = tuple(keys)
    for language, sections in languages.items():
        for key in sections.get(name, {}):
            if key not in known:
                raise VocabularyError(
                    f"labels/{language}.toml: [{name}] {key} is unknown; correct the key, or {remedy}"
                )
    found = {
        key: {language: own[key] for language, each in languages.items() if key in (own := each.get(name, {}))}
        for key in known
    }
    for key, words in found.items():
        if needs_words and not words:
            raise VocabularyError(
                f"[{name}] {key} has no words in any language; add a line {key} = ['…'] to labels/en.toml"
            )
    return MappingProxyType(found)


_SPREAD: Final = re.compile(
    r"(?<=[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff]) (?=[\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff])"
)
"""A space between two signs of Hangul (decomposed), kana or Han."""


def without_spread(text: str) -> str:
    """`text` without spaces between Chinese, Japanese and Korean signs, which drafters spread over the width of a cell."""
    return text if text.isascii() else _SPREAD.sub("", text)


_GROUP: Final = re.compile(r"(?<!\\)\((?!\?)")


def joined(fragments: Iterable[str]) -> str:
    """`fragments` as the alternatives of one group that captures nothing, each once, the longest first."""
    ordered = sorted(set(fragments), key=lambda fragment: (-len(fragment), fragment))
    return "(?:" + "|".join(_GROUP.sub("(?:", fragment) for fragment in ordered) + ")"
