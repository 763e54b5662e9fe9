"""Labels: the lettering that names the fields of a title block, and the words that stand in one without being a value.

Glossary
  label        lettering that names a field: "DWG NO.", "Gezeichnet", "Drawn / Gezeichnet".
  weak label   a label that names the field only where the block has no better one: "Name" for the title.
  inline       label and value written as one: "SCALE 1:2", "Blatt: 1 von 2".
  filler       a label of a field without a key, a heading or a form's own sentence: never a value.

The labels themselves are data: the sections `title_block` and `title_block_weak` of the files in `labels/`.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from bisect import bisect_left
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Final

from spatial.knowledge import vocabulary
from spatial.knowledge.fields import FIELDS, ROLES, is_distinctive
from spatial.knowledge.patterns import alternatives
from spatial.knowledge.value_forms import UNREAD
from spatial.knowledge.vocabulary import Language, VocabularyError

MAXIMUM_LABEL: Final = 96
"""Characters; what is longer is a sentence, not a label."""

HEADER: Final = "header"
"""Key of a column heading of the signature matrix that names no field by itself: SIGNATURE."""
OTHER: Final = "other"
"""Key of a filler."""
SHEET_COUNT: Final = "sheet_count"

KEYS: Final = (*FIELDS, HEADER, OTHER)
"""What labels can name; of two keys with the same label in two languages, the earlier one."""


@dataclass(frozen=True, slots=True)
class Wording:
    """What a piece of lettering says as a label."""

    key: str
    """One of KEYS."""
    weak: bool = False
    value: str = ""
    """What follows the label in the same piece; empty where nothing does."""
    colon: bool = False
    """Whether a colon stands between label and value, or after the label."""

    @property
    def is_field(self) -> bool:
        """Whether it names a field."""
        return self.key not in (OTHER, HEADER)


_SIGNS: Final = str.maketrans(
    {
        "#": " no ",
        "№": " no ",
        "°": " ",
        "º": " ",
        "'": "",
        "’": "",
        "`": "",
        "´": "",
        "ß": "ss",
        "&": " ",
        "ł": "l",
        "Ł": "l",
        "ı": "i",  # Turkish: the capital of ı is I, whose small letter elsewhere is i
        "_": " ",
    }
)
_WORD: Final = re.compile(r"[^\W_]+")


def _plain_words(text: str) -> list[str]:
    plain = text.translate(_SIGNS).casefold() if text.isascii() else _without_accents(text)
    return _WORD.findall(plain)


def _without_accents(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.translate(_SIGNS)).casefold()
    return "".join(sign for sign in plain if not unicodedata.combining(sign))


_WORDS: Final = vocabulary.section(
    "words",
    ("number", "item_number", "reviewed", "signed", "person", "document_kind", "schooling", "file_name"),
    "add it to _WORDS in spatial/knowledge/title_labels.py",
)
_NUMBERS: Final = frozenset(
    plain for words in _WORDS["number"].values() for word in words for plain in _plain_words(word)
)


@lru_cache(maxsize=8192)
def folded(text: str) -> str:
    """The one spelling under which labels are compared: no accents, case, punctuation; `no` for every word for number."""
    return vocabulary.without_spread(" ".join("no" if word in _NUMBERS else word for word in _plain_words(text)))


def _folded_words(key: str) -> frozenset[str]:
    return frozenset(folded(word) for words in _WORDS[key].values() for word in words)


ITEM_NUMBERS: Final = _folded_words("item_number")
"""Folded labels of a number that is the item's, and the drawing's in a block without another ("Sachnummer", DIN 6771-1)."""
REVIEWED: Final = _folded_words("reviewed")
"""Folded labels that mean a checker between other roles and a revision elsewhere: "REV." for "revisó"."""
SIGNED: Final = _folded_words("signed")
"""Folded labels that say whose work the sheet is, where no other does: "BY"."""
PERSONS: Final = _folded_words("person")
"""Folded labels that mean a person over a date, and a title elsewhere: "NAME"."""
SCHOOLING: Final = _folded_words("schooling")
"""Folded labels of a class or a course: the sheet is a student's exercise, and a name on it is the student's."""
FILE_NAMES: Final = _folded_words("file_name")
"""Folded labels of the name of the drawing's file."""
DOCUMENT_KINDS: Final = _folded_words("document_kind")
"""Folded words for the kind of document under a title (GOST 2.102)."""


def _entries(languages: Mapping[str, Language]) -> Iterator[tuple[str, str, Wording]]:
    """Language, label and wording: strong labels before weak ones, and keys in their order."""
    remedy = "add a record of that name to spatial/knowledge/fields.py"
    for name, is_weak in (("title_block", False), ("title_block_weak", True)):
        section = vocabulary.section(name, KEYS, remedy, languages, needs_words=not is_weak)
        for key, by_language in section.items():
            for language, labels in by_language.items():
                yield from ((language, label, Wording(key, is_weak)) for label in labels)


def known_labels(languages: Mapping[str, Language]) -> Mapping[str, Wording]:
    """Folded label to its wording.

    Raises:
        VocabularyError: a language gives one label to two keys, or lists it twice, or a label without letters and digits.
    """
    known: dict[str, Wording] = {}
    claimed: dict[tuple[str, str], str] = {}
    for language, label, wording in _entries(languages):
        phrase = folded(label)
        other = claimed.setdefault((language, phrase), f"{wording.key}: {label!r}")
        own = f"{wording.key}: {label!r}"
        if other != own:
            raise VocabularyError(f"labels/{language}.toml: {own} reads as {other} does; remove one of them")
        if not phrase:
            raise VocabularyError(f"labels/{language}.toml: {own} has neither letters nor digits; remove it")
        known.setdefault(phrase, wording)
    return MappingProxyType(known)


_KNOWN: Final = known_labels(vocabulary.LANGUAGES)
_SPREAD: Final = 8
"""Letters of a label that is known with its spaces in other places: "N.º DE DIBUJ O"."""
_ORDERED: Final = sorted(_KNOWN)
_CLOSED: Final = MappingProxyType(
    {phrase.replace(" ", ""): wording for phrase, wording in reversed(list(_KNOWN.items()))}
)
_SPELLED: Final = MappingProxyType(
    {" ".join(_plain_words(label)): _KNOWN[folded(label)] for _, label, _ in _entries(vocabulary.LANGUAGES)}
)
"""Labels with their words for number as they are spelled."""


@cache
def _spelled_by_length() -> Mapping[int, list[tuple[int, str, Wording]]]:
    """The spelled labels by how many signs they have, each with its place among all."""
    lengths: dict[int, list[tuple[int, str, Wording]]] = {}
    for place, (phrase, wording) in enumerate(_SPELLED.items()):
        lengths.setdefault(len(phrase), []).append((place, phrase, wording))
    return lengths


_LEAST_MISSPELT: Final = 8
"""Letters of a label that is known with two neighbouring letters in the wrong order: "Bennenung"."""


_LEAST_MISSING: Final = 12
"""Letters of a label that is known without one of them: "MATERIAL SPECFICATION"."""


@cache
def _without_a_letter() -> Mapping[str, str]:
    """The long labels of fields, each without one of its letters but the first and the last."""
    return {
        phrase[:place] + phrase[place + 1 :]: phrase
        for phrase, wording in _KNOWN.items()
        if len(phrase) > _LEAST_MISSING and wording.is_field
        for place in range(1, len(phrase) - 1)
        if phrase[place] != " "
    }


def _swapped(phrase: str) -> tuple[str, str, str]:
    return phrase[:1], phrase[-1:], "".join(sorted(phrase))


_LETTERS: Final = MappingProxyType(
    {_swapped(phrase): phrase for phrase in _KNOWN if len(phrase) >= _LEAST_MISSPELT and " " not in phrase}
)
_MOST_UNREAD: Final = 0.34
"""Part of the signs of a label that may be unread."""
_NUMBERED: Final = frozenset(("drawing_number", "part_number"))
"""The numbers of which one label may name both."""
_COUNTED: Final = frozenset(("drawing_number", "part_number", "revision", "sheet", "project"))
"""Fields of which a number is the value."""
_LONGEST: Final = max(len(phrase.split()) for phrase in _KNOWN)
_PARTS: Final = re.compile(r"\s*[/|\n\\]\s*|\s+[-–—·]\s+|\s*[()]\s*")
_COLON: Final = re.compile(r"\s*[:=\uff1a]\s*")
_SIGNED: Final = re.compile(
    r"(?:DRAWN|CHECKED|APPROVED)(?: BY)?(?:(?: [A-Z][A-Z.'-]*){2,3}(?: [\d./-]{6,10})?|(?: [A-Z]\.?){1,3} [A-Z][\w'-]+)"
)
""" "APPROVED JOHN SMITH", "DRAWN N D Smith": a name in capitals, or initials and a surname, after its role; "Checked surface" is none."""


@lru_cache(maxsize=8192)
def read(text: str) -> Wording | None:
    """What the lettering says as a label; None where it is none."""
    text = text.strip()
    if not text or len(text) > 4 * MAXIMUM_LABEL:
        return None
    if UNREAD in text:
        return _half_read(text)
    stated = _before_colon(text)
    if (
        stated is not None
        and stated.is_field
        and FIELDS[stated.key].is_formed
        and is_distinctive(stated.key, stated.value)
    ):
        # "UNITS: in" is a label and its value, though "Units in" is a label.
        return stated
    return _whole(text) or stated or _bare(_SHUT_UP.sub(" ", text))


_SHUT_UP: Final = re.compile(
    rf"(?<=^[^\W\d_]{{5}})(?=\d{{1,3}}\s*(?:{alternatives('count_of')}|[:\uff1a])\s*\d{{1,3}}$)", re.IGNORECASE
)
"""Between a word and a sheet of several or a ratio, where the blank is lost: "SHEET1 OF 1", "SCALE1:1"."""
_INITIALS: Final = re.compile(r"[^\W\d_]\. [^\W\d_]\.")
"""Of a person's two names, as they are written apart: "B. L.". Labels are written together, "D.R."."""


_MARKED: Final = re.compile(r".*[^\W\d_][^\W_]*\.?\s*[:\uff1a]\s*[A-Z]")
"""A mark behind a colon is the value, whatever word begins with its letter: "Rev: C", "Index: N"."""


def _half_read(text: str) -> Wording | None:
    """A label of which some letters could not be told: what all known labels mean that it can be, if that is one field."""
    signs = [sign for sign in text if not sign.isspace()]
    if len(text) > MAXIMUM_LABEL or signs.count(UNREAD) > _MOST_UNREAD * len(signs):
        return None
    words = [" ".join(_plain_words(part)) for part in text.split(UNREAD)]
    spaced = [
        (" " if part[:1].isspace() and word else "") + word + (" " if part[-1:].isspace() and word else "")
        for part, word in zip(text.split(UNREAD), words, strict=True)
    ]
    pattern = re.compile(r"\w{1,2}".join(map(re.escape, spaced)))
    told, untold = sum(map(len, spaced)), len(spaced) - 1
    alike = (
        each
        for length in range(told + untold, told + 2 * untold + 1)
        for each in _spelled_by_length().get(length, ())
        if pattern.fullmatch(each[1])
    )
    meant = {wording.key: wording for _, _, wording in sorted(alike)}
    return next(iter(meant.values())) if len(meant) == 1 else None


def is_label(text: str) -> bool:
    """Whether all of `text` is a label, so that it names a field and is nobody's name."""
    return _whole(text) is not None


def is_of_number(text: str) -> bool:
    """Whether `text` ends with a word for a number behind another word: the label of one, known or not ("EDP NO.")."""
    words = folded(text).split()
    return len(words) > 1 and words[-1] == "no"


def is_numbered(text: str) -> bool:
    """Whether `text` is the label of a field with a number and no blank between them: "Page1", and "FECHA1" in a template."""
    word = read(text.rstrip("0123456789"))
    return text[-1:].isdigit() and word is not None and word.is_field and not word.value


def second_role(text: str, key: str) -> str | None:
    """The other role that a label names beside `key`: "Checked/Approved by:"; None where it names no other."""
    parts = [_whole(part) for part in text.split("/") if part.strip()]
    keys = {part.key for part in parts if part is not None and part.key in ROLES}
    return next(iter(keys - {key})) if len(parts) == len(keys) == 2 and key in keys else None


def second_number(text: str, key: str) -> str | None:
    """The other number that a label names beside `key`: "DRAWING/PART NUMBER"; None where it names no other.

    The word for a number may stand behind the last of the two alone.
    """
    parts = [folded(part) for part in re.split(r"[/&]", text) if folded(part)]
    if len(parts) != len(_NUMBERED) or not any(part.split()[-1] == "no" for part in parts):
        return None
    named = [_KNOWN.get(part if part.split()[-1] == "no" else f"{part} no") for part in parts]
    keys = {wording.key for wording in named if wording is not None}
    return next(iter(keys - {key})) if keys == _NUMBERED and key in keys else None


def _whole(text: str) -> Wording | None:
    """All of it is a label: as it stands, in several languages, or with a colon at its end."""
    if len(text) > MAXIMUM_LABEL or _INITIALS.fullmatch(text) or _MARKED.fullmatch(text):
        return None
    colon = text.rstrip().endswith((":", "=", "\uff1a"))
    found = (
        _named(folded(text))
        or _in_languages(_PARTS.split(text))
        or _run_together(_SCRIPT_CHANGES.sub(" ", folded(text)).split())
        or _beside_unknown(text)
        or _beside_cognate(text)
        or _abbreviated(text)
        or _cut(folded(text))
        or _bracketed(text)
    )
    return Wording(found.key, found.weak, "", colon) if found else None


def _named(phrase: str) -> Wording | None:
    """The wording of a folded label.

    "Number" behind the label of what is counted adds nothing ("PG NO"), nor does a number behind a role ("Approved 2"), nor do spaces
    within a word ("T itle", "N.º DE DIBUJ O").
    """
    found = _KNOWN.get(phrase)
    stem, _, ending = phrase.rpartition(" ")
    if found is None and (ending == "no" or (len(ending) == 1 and ending.isdecimal())):
        counted = _KNOWN.get(stem)
        return counted if counted and counted.key in (_COUNTED if ending == "no" else ROLES) else None
    if found is None and len(phrase) >= _LEAST_MISSPELT and (meant := _LETTERS.get(_swapped(phrase))):
        found = _KNOWN[meant] if _is_one_swap(phrase, meant) else None
    if found is None and len(phrase) >= _LEAST_MISSING and (whole := _without_a_letter().get(phrase)):
        found = _KNOWN[whole]
    closed = phrase.replace(" ", "")
    return found or _KNOWN.get(closed) or (_CLOSED.get(closed) if len(closed) >= _SPREAD else None)


def _is_one_swap(phrase: str, meant: str) -> bool:
    """Whether two words of one length differ by two neighbouring letters in the other order."""
    off = [place for place, (left, right) in enumerate(zip(phrase, meant, strict=True)) if left != right]
    return len(off) == 2 and off[1] == off[0] + 1


def _in_languages(parts: list[str]) -> Wording | None:
    """ "Drawn / Gezeichnet": every part is a label; the first that names a field tells which."""
    words = [folded(part) for part in parts if folded(part)]
    if len(words) < 2 or any(word not in _KNOWN for word in words):
        return None
    wordings = [_KNOWN[word] for word in words]
    fields = [wording for wording in wordings if wording.is_field]
    strong = [wording for wording in fields if not wording.weak]
    return (strong or fields or wordings)[0]


_IN_BRACKETS: Final = re.compile(r"\(([^()]{3,40})\)")


def _bracketed(text: str) -> Wording | None:
    """ "(Werkstoff, Halbzeug) (Rohteil-Nr.)": names of one field in brackets, as DIN 6771-1 prints them; the first says which."""
    names = _IN_BRACKETS.findall(text)
    if len(names) < 2 or _IN_BRACKETS.sub("", text).strip():
        return None
    return _KNOWN.get(folded(names[0]))


_LONG_ENOUGH_TO_CUT: Final = 10
_MOST_CUT: Final = 2
"""Letters of a label that its cell may have cut off."""
_ABBREVIATED: Final = re.compile(r"[^\W\d_]{4,12}\.:?|[^\W\d_]{7,12}:?")
"""With a full stop; a longer beginning also without one."""
_SURE_BEGINNING: Final = 7
"""Letters of a beginning that is as good as the word."""


def _beginning_with(stem: str) -> Iterator[str]:
    """The known labels that begin so, found by their order."""
    following = (_ORDERED[place] for place in range(bisect_left(_ORDERED, stem), len(_ORDERED)))
    return itertools.takewhile(lambda phrase: phrase.startswith(stem), following)


def _abbreviated(text: str) -> Wording | None:
    """ "DIBUJ.", "Kontr.", "Gezeich": the beginning of a word, mostly with a full stop (ISO 4), where all such labels name one field."""
    if _ABBREVIATED.fullmatch(text.strip()) is None:
        return None
    stem = folded(text)
    meant = {_KNOWN[phrase].key for phrase in _beginning_with(stem) if " " not in phrase}
    key = meant.pop() if len(meant) == 1 else ""
    return Wording(key, len(stem) < _SURE_BEGINNING) if key in FIELDS else None


def _cut(phrase: str) -> Wording | None:
    """A long label without its last letter or two, for which its cell has no room."""
    if len(phrase) < _LONG_ENOUGH_TO_CUT:
        return None
    meant = {_KNOWN[known].key for known in _beginning_with(phrase) if len(known) - len(phrase) <= _MOST_CUT}
    key = meant.pop() if len(meant) == 1 else ""
    return Wording(key, True) if key in FIELDS else None


_UNKNOWN_PART: Final = re.compile(r"[^\W\d_]{3,}(?:[ .-]{1,2}[^\W\d_]+){0,2}\.?")


def _beside_unknown(text: str) -> Wording | None:
    """ "Název / Title", "Drawn / Kreslil:", "Drawn / שרטט": a label after its word in a language that no file has.

    Or before it, where a colon ends both or the word is of another script.
    """
    parts = [part.strip(" .:=\uff1a") for part in text.split(" / ")]
    if len(parts) != 2:
        return None
    for part, other, ends in (
        (parts[1], parts[0], True),
        (parts[0], parts[1], text.rstrip().endswith((":", "\uff1a"))),
    ):
        found = _KNOWN.get(folded(part))
        if found is None or not found.is_field:
            continue
        translated = _is_latin(part) != _is_latin(other) and any(map(str.isalpha, other))
        if translated or (ends and _UNKNOWN_PART.fullmatch(other)):
            return Wording(found.key, True)
    return None


_COGNATE: Final = 5
"""Letters that a word of two languages has in both, but for the last ones."""


def _beside_cognate(text: str) -> Wording | None:
    """ "Approuvé/Approuved": a label beside the same word in another spelling, which no file has."""
    words = [folded(part.rstrip(" .:=\uff1a")) for part in text.split("/")]
    if len(words) != 2 or min(map(len, words)) <= _COGNATE:
        return None
    shorter, longer = sorted(words, key=len)
    if len(longer) - len(shorter) > 1 or shorter[:-1] != longer[: len(shorter) - 1]:
        return None
    found = _KNOWN.get(words[0]) or _KNOWN.get(words[1])
    return Wording(found.key, found.weak) if found is not None and found.is_field else None


def _is_latin(text: str) -> bool:
    return any("LATIN" in unicodedata.name(sign, "") for sign in text)


_IDEOGRAPHS: Final = "\u1100-\u11ff\u3041-\u30fe\u3400-\u9fff"
"""Hangul as `folded` leaves it, in its letters."""
_SCRIPT_CHANGES: Final = re.compile(rf"(?<=[{_IDEOGRAPHS}])(?=[a-z])|(?<=[a-z])(?=[{_IDEOGRAPHS}])")
"""Where a label in ideographs, kana or hangul and one in Latin letters meet without a blank: "日期DATE"."""


def _run_together(words: list[str]) -> Wording | None:
    """ "Maßstab Scale": two labels of one meaning with nothing between them."""
    for cut in range(1, len(words)):
        left, right = _KNOWN.get(" ".join(words[:cut])), _KNOWN.get(" ".join(words[cut:]))
        if left and right and left.key == right.key and left.is_field:
            return left if not left.weak else right
    return None


def _before_colon(text: str) -> Wording | None:
    """ "SCALE: 1:2": a label, a colon, a value."""
    cut = _COLON.search(text)
    if cut is None or not cut.start():
        return None
    label = _whole(text[: cut.start()])
    value = text[cut.end() :].strip()
    return Wording(label.key, label.weak, value, True) if label and value else None


def _bare(text: str) -> Wording | None:
    """ "SHEET 1 OF 2": a label and a value with a space between them; the longest label wins."""
    words = text.split()
    for count in range(min(len(words) - 1, _LONGEST), 0, -1):
        found = _KNOWN.get(folded(" ".join(words[:count])))
        if found is not None:
            value = " ".join(words[count:])
            if found.key in ROLES and is_of_number(value):
                # "APPROVED PART NO" are two labels whose rule between was not seen.
                return found
            named = found.key in ROLES and _SIGNED.fullmatch(text) is not None
            told = (
                _needs_no_colon(found.key) or named or (found.key == "material" and is_distinctive("material", value))
            )
            return Wording(found.key, False, value) if told and not found.weak else None
    return None


def _needs_no_colon(key: str) -> bool:
    return key in FIELDS and FIELDS[key].needs_no_colon
