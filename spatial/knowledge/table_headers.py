"""The words that head the columns of tables, and what kind of table a row of such words makes.

The words are data: the sections `table_column`, `table_title` and `row_label` of the files in `labels/`; `table_kinds` has the kinds.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from spatial.knowledge import vocabulary
from spatial.knowledge.table_kinds import CONCEPTS, KINDS, LABELLED
from spatial.knowledge.vocabulary import VocabularyError

LONGEST_HEADING: Final = 80
"""Characters of a column's heading; what is longer is a sentence."""
_LONGEST_TITLE: Final = 60
"""Characters of a table's title."""
_LONGEST_COMPARED: Final = 120
"""Characters of a text that are compared with the vocabulary."""
_SPREAD: Final = 6
"""Letters of a heading that is known with its spaces in other places: "DESC RIPTION"."""
_LONG: Final = 9
"""Letters of a heading that is known with one letter wrong: a shorter one is soon another word."""
_MOST_ALIKE: Final = 4
"""Columns of one meaning that are looked at: no shape needs more."""

_MOST_WORDS: Final = 3
"""Words of a heading that is told by one of them."""
_SHORTEST_NOUN: Final = 4
"""Letters of that word: shorter ones are words of other languages as well."""
_DATE_AND_APPROVAL: Final = frozenset(("date", "approved"))
"""Concepts whose word may stand with others: ECN date, eng. appr."""
_WORDS_OF_CHANGE: Final = frozenset(("revision", "change", "description"))
"""What the words of a heading mean that says what was changed: REVISION DETAILS, CHANGE NOTE."""

_BROKEN: Final = re.compile(r"(?<=[^\W\d_])[-‐]\s+(?=[^\W\d_])")
"""Where a word of a narrow heading is broken: `Пози- ция`."""
_IDEOGRAPH: Final = r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]"
_PARTS: Final = re.compile(rf"[/|\n]|\s-\s|\(|(?<={_IDEOGRAPH})\s*(?=[A-Za-z])|(?<=[A-Za-z.])\s*(?={_IDEOGRAPH})")
"""What parts the languages of a heading: a stroke, a bracket, or the change of script in `変更内容 REVISION RECORD`."""
_NOISE: Final = re.compile(r"[\s.,:;'’´`\"()\[\]_\-–—]+")


_ORDINAL: Final = str.maketrans("", "", "º°")
"""The raised letter of "N.º", which many keyboards write as a degree sign."""


def _without_accents(text: str) -> str:
    return "".join(sign for sign in unicodedata.normalize("NFD", text) if not unicodedata.combining(sign))


def normal(text: str) -> str:
    """`text` as headings are compared: small letters without accents, marks as single spaces, no spread signs."""
    signs = text[:_LONGEST_COMPARED].casefold().replace("№", " № ").replace("#", " no ").translate(_ORDINAL)
    bare = _without_accents(signs)
    return vocabulary.without_spread(_NOISE.sub(" ", bare.replace("ß", "ss")).strip())


def _keys_by_word(section: str, keys: Iterable[str], remedy: str) -> Mapping[str, frozenset[str]]:
    """Each word of a section, as it is compared, to the keys that list it."""
    found: dict[str, set[str]] = defaultdict(set)
    for key, languages in vocabulary.section(section, keys, remedy).items():
        for words in languages.values():
            for word in words:
                found[normal(word) or word].add(key)
    return MappingProxyType({word: frozenset(own) for word, own in found.items()})


def _without_one(word: str) -> Iterator[str]:
    """`word` without each of its letters."""
    return (word[:place] + word[place + 1 :] for place in range(len(word)))


def _nearly(words: Iterable[str]) -> Mapping[str, frozenset[str]]:
    """Long words, and each without one letter, to the words that they may be."""
    found: dict[str, set[str]] = defaultdict(set)
    for word in words:
        if len(word) >= _LONG:
            for form in (word, *_without_one(word)):
                found[form].add(word)
    return MappingProxyType({form: frozenset(own) for form, own in found.items()})


def _labelled() -> Mapping[str, str]:
    """Each label beside one value to what it belongs to."""
    words = _keys_by_word("row_label", LABELLED, "add it to LABELLED in spatial/knowledge/table_kinds.py")
    for word, keys in words.items():
        if len(keys) > 1:
            raise VocabularyError(f"[row_label] {' and '.join(sorted(keys))} list {word!r}; remove it from all but one")
    return MappingProxyType({word: next(iter(keys)).replace("_", " ") for word, keys in words.items()})


def _title_form(kind: str) -> re.Pattern[str]:
    fragments = [_without_accents(each) for words in _TITLES[kind].values() for each in words]
    return re.compile(vocabulary.joined(fragments), re.IGNORECASE)


_CONCEPTS: Final = _keys_by_word("table_column", CONCEPTS, "add it to CONCEPTS in spatial/knowledge/table_kinds.py")
_CLOSED: Final = MappingProxyType({word.replace(" ", ""): own for word, own in reversed(list(_CONCEPTS.items()))})
_NEARLY: Final = _nearly(_CLOSED)
_LABELS: Final = _labelled()
_TITLES: Final = vocabulary.section("table_title", ("bom", "revisions"), "use the name of a kind that has titles")
_BOM_TITLE: Final = _title_form("bom")
_REVISIONS_TITLE: Final = _title_form("revisions")

NOTHING: Final[frozenset[str]] = frozenset()


@lru_cache(maxsize=4096)
def concepts(text: str) -> frozenset[str]:
    """What a column headed `text` may hold; `Pos. / Item` and other many-language headings mean what any part means."""
    whole = normal(text)
    if not whole or len(text) > LONGEST_HEADING:
        return NOTHING
    known = _CONCEPTS.get(whole)
    if known is not None:
        return known
    if _BROKEN.search(text):
        return concepts(_BROKEN.sub("", text)) or concepts(_BROKEN.sub("-", text))
    closed = whole.replace(" ", "")
    if closed in _CLOSED and (len(closed) >= _SPREAD or _is_spread(whole)):
        return _CLOSED[closed]
    found: frozenset[str] = NOTHING
    for part in _PARTS.split(text):
        found |= _CONCEPTS.get(normal(part), NOTHING)
    words = whole.split()
    return found or _of_head_noun(words) or _of_change(words) or _misspelt(closed)


def _is_spread(whole: str) -> bool:
    """Whether a word is lettered so wide that each of its letters stands alone: `N O`, `Q T Y`."""
    return all(len(word) == 1 and word.isalpha() for word in whole.split())


def _misspelt(closed: str) -> frozenset[str]:
    """What a long heading holds but for one letter that is wrong, missing or too many: `Nature of Madification`."""
    if len(closed) < _LONG:
        return NOTHING
    known = {word for form in (closed, *_without_one(closed)) for word in _NEARLY.get(form, ())}
    held = {_CLOSED[word] for word in known}
    return held.pop() if len(held) == 1 else NOTHING


def _of_head_noun(words: Sequence[str]) -> frozenset[str]:
    """What a heading of several words holds by the one at its end or at its beginning that says when or who: `Approval date`."""
    if not 2 <= len(words) <= _MOST_WORDS:
        return NOTHING
    for word in (words[-1], words[0]):
        held = _CONCEPTS.get(word, NOTHING)
        if len(word) >= _SHORTEST_NOUN and len(held) == 1 and held <= _DATE_AND_APPROVAL:
            return held
    return NOTHING


def _of_change(words: Sequence[str]) -> frozenset[str]:
    """What a heading holds whose words are one for a change and one for its description: `Revision details`, `Amendment text`."""
    held = [_CONCEPTS.get(word, NOTHING) for word in words]
    names_change = 2 <= len(held) <= _MOST_WORDS and any("change" in each for each in held)
    describes = any("description" in each and "change" not in each for each in held)
    has_others = not all(each & _WORDS_OF_CHANGE for each in held)
    return frozenset(("change",)) if names_change and describes and not has_others else NOTHING


@lru_cache(maxsize=4096)
def label(text: str) -> str | None:
    """What `text` labels if it stands beside its value: `title block`, `gear data`, `spring data`."""
    return _LABELS.get(normal(re.split(r"[/|\n:]", text, maxsplit=1)[0]))


def is_title_block_label(text: str) -> bool:
    """Whether `text` is the label of a title block's field and nothing that heads a column."""
    return _LABELS.get(normal(text)) == "title block" and not concepts(text)


def kind_of_title(text: str) -> str | None:
    """Kind of the table that `text` is the title of; a parts list's title may go on."""
    plain = normal(text)
    if len(plain) > _LONGEST_TITLE:
        return None
    if _BOM_TITLE.match(plain):
        return "bom"
    return "revisions" if _REVISIONS_TITLE.fullmatch(plain) else None


def kinds(heads: Sequence[frozenset[str]], title: str | None = None) -> list[str]:
    """Kinds of table whose columns are headed so, the likeliest first; its rows decide.

    A column stands for one concept only, so `Name` and `Date` alone are the signatures of a title block.
    """
    known = _meaningful(heads)
    if len(known) < 2:
        return []
    shaped = [record.name for record in KINDS.values() if _has_shape(known, record.all_shapes)]
    titled = KINDS.get(kind_of_title(title) or "") if title else None
    if titled and titled.name not in shaped and _has_shape(known, titled.titled_shapes):
        shaped.append(titled.name)
    return shaped


def is_weak_bom(heads: Sequence[frozenset[str]]) -> bool:
    """Whether only weak shapes make the headings those of a parts list."""
    return not _has_shape(_meaningful(heads), KINDS["bom"].shapes)


def _meaningful(heads: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """What is known of `heads`, each meaning no more often than the longest shape could need."""
    return [
        head for head, times in Counter(head for head in heads if head).items() for _ in range(min(times, _MOST_ALIKE))
    ]


def _has_shape(heads: Sequence[frozenset[str]], shapes: Iterable[Iterable[str]]) -> bool:
    return any(_fills(heads, list(shape)) for shape in shapes)


def _fills(heads: Sequence[frozenset[str]], shape: Sequence[str]) -> bool:
    """Whether each concept of `shape` finds a column of its own."""
    if not shape:
        return True
    return any(
        shape[0] in head and _fills([*heads[:place], *heads[place + 1 :]], shape[1:])
        for place, head in enumerate(heads)
    )


def column_of(heads: Sequence[frozenset[str]], concept: str) -> int | None:
    """Place of the column that most likely holds `concept`: the one with the fewest other meanings, the first of those."""
    fits = [(len(head), place) for place, head in enumerate(heads) if concept in head]
    return min(fits)[1] if fits else None
