"""Ablation of the vocabulary: labelled sheets whose labels are words that no file of the vocabulary has.

    python -m benchmarks.accuracy --ablation

Glossary
  pair    a label of a title block and its value, as the sheet prints them and as they are read with all words.
  found   the value is read under its label as printed, or under the right key.
  formed  a pair whose value tells its key by its form alone: 1:2, A3, 1 of 2, a full date, a mass with its unit, ISO 2768-m.
  named   a formed pair that is read under the right key.

Only the characters of labels are replaced, in the model that the reader makes: geometry, values and all other lettering stay.
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from benchmarks.report import Table
from spatial.contract.drawing import TITLE_BLOCK_FIELDS
from spatial.contract.formats import format_of
from spatial.knowledge import table_headers, title_labels
from spatial.knowledge.fields import is_distinctive
from spatial.knowledge.patterns import alternatives
from spatial.models.sheet.drawing import Drawing, Text
from spatial.pipeline.read import steps_of
from tests.accuracy.board import Known
from tests.accuracy.score import elements_of
from tests.accuracy.spelling import alike

LANGUAGES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "tr": (
            "Kalıp",
            "Depo",
            "Sipariş",
            "Teslim",
            "İş Emri",
            "Kat Yeri",
            "Üretim Yeri",
            "Bölüm Kodu",
            "Ürün Ailesi",
            "Dosya Yolu",
            "Kaynak Belge",
            "Kalite Onayı",
            "Montaj Grubu",
            "Adet Bilgisi",
            "Açıklama Satırı",
            "Yürürlük Günü",
            "Sorumlu Birim",
            "Çalışma Kolu",
            "Hazırlık",
            "Takım No",
            "Usta",
        ),
        "hu": (
            "Raktár",
            "Osztály",
            "Kiadás",
            "Gyártó",
            "Sorozat",
            "Szerszám",
            "Munkalap",
            "Telephely",
            "Rendelés",
            "Nyersanyag",
            "Elkészült",
            "Szerkezet",
            "Lapszél",
            "Cikk jele",
            "Fájl helye",
            "Üzem",
            "Műhely",
            "Átvevő",
            "Jóváhagyás napja",
            "Felülvizsgáló",
            "Alkatrész jele",
            "Rajzoló iroda",
            "Méretlap",
            "Tárgykör",
            "Egység jele",
        ),
        "ko": (
            "공장",
            "부품",
            "창고",
            "발행",
            "확정",
            "주문",
            "작업반",
            "보관처",
            "서류철",
            "생산지",
            "등급",
            "현장",
            "문서 종류",
            "배포 날짜",
            "제작 업체",
            "표면 상태",
            "작성 부서",
            "열람 등급",
            "조립 단위",
            "파일 위치",
            "적용 차종",
            "생산 구분",
            "교부처",
            "판 구분",
            "규격집",
        ),
        "vi": (
            "Xưởng",
            "Máy",
            "Lô hàng",
            "Nơi nhận",
            "Cấp độ",
            "Đơn hàng",
            "Người nhận",
            "Nhà máy",
            "Mã kho",
            "Bộ phận",
            "Loại hồ sơ",
            "Quản đốc",
            "Phân xưởng",
            "Đường dẫn",
            "Nơi lưu trữ",
            "Kiểu phôi",
            "Nhóm hàng",
            "Thời hạn",
            "Ban hành",
            "Nguồn gốc",
            "Công đoạn",
            "Cách lắp",
            "Hiệu lực",
            "Dây chuyền",
        ),
        "el": (
            "Αποθήκη",
            "Μηχανή",
            "Παραγγελία",
            "Παραλαβή",
            "Εργοστάσιο",
            "Σειρά",
            "Φάκελος",
            "Υπεύθυνος",
            "Καλούπι",
            "Παρτίδα",
            "Γραφείο",
            "Ομάδα έργου",
            "Είδος εντύπου",
            "Τόπος κατασκευής",
            "Θέση αρχείου",
            "Ημέρα έγκρισης",
            "Όνομα τεμαχίου",
            "Εργολάβος",
            "Συνεργείο",
            "Χρήση",
        ),
        "fi": (
            "Osasto",
            "Varasto",
            "Kone",
            "Tilaus",
            "Julkaisu",
            "Valmistaja",
            "Luokka",
            "Sarja",
            "Muotti",
            "Työkortti",
            "Toimitus",
            "Hylly",
            "Osan tunnus",
            "Vastuuhenkilö",
            "Kuvan laatija",
            "Tiedoston paikka",
            "Käyttökohde",
            "Hyväksymispäivä",
            "Kappaleen nimi",
            "Työn vaihe",
            "Pinnan tila",
            "Koonti",
            "Verstas",
            "Hankinta",
            "Ryhmä",
            "Laji",
        ),
    }
)
"""Words by language that could be labels and that no file of the vocabulary has."""

INVENTED: Final = "invented"
FORMED: Final[Mapping[str, str]] = MappingProxyType(
    {
        "scale": r"\d+\s*:\s*\d+",
        "date": r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}|\w{3}-\d{1,2}-\d{2,4}",
        "sheet": r"\d+ ?(?:/|of|von|OF|VON) ?\d+",
        "size": r"A[0-4]",
        "weight": r"[\d.,]+ ?[a-zA-Z]+",
        "tolerances": r"(?:DIN )?ISO \d{4}.*",
    }
)
"""Key to the form of those values that tell it; written here, so that no reader is measured by its own yardstick."""
LABELLED: Final = frozenset({"cell label", "label left", "label above"})
"""Evidence of a field whose label is printed."""
_SAME_VALUE: Final = 0.9
_COUNT_OF: Final = re.compile(alternatives("count_of"), re.IGNORECASE)
"""Between the number of a sheet and their count: part of a value."""
_ALPHABETS: Final = ("aeiou", "bdfgklmnprstvz"), ("аеиоу", "бвгджзклмнпрст"), ("αεηιου", "βγδζκλμνπρσ")
_HAN: Final = "乙丁七九了二人入八几刀力又三干于土士大女子寸小山川工己巾弓手木毛水火父片牛犬王"

Words = Callable[[str], str]
"""A label as printed to the word that takes its place."""


@dataclass(frozen=True)
class Pair:
    """A label and a value of one sheet, as read with all words."""

    key: str
    label: str
    value: str

    @property
    def is_formed(self) -> bool:
        """Whether the form of the value tells the key."""
        return self.key in FORMED and re.fullmatch(FORMED[self.key], self.value) is not None


@dataclass
class Outcome:
    """What is left of the pairs of some sheets."""

    pairs: int = 0
    found: int = 0
    formed: int = 0
    named: int = 0
    invented: int = 0
    """Fields that are none of the pairs: a key with a wrong value, or a label with a value that is not its own."""
    lost: list[str] = field(default_factory=list)

    def add(self, other: Outcome) -> None:
        self.pairs, self.found = self.pairs + other.pairs, self.found + other.found
        self.formed, self.named = self.formed + other.formed, self.named + other.named
        self.invented += other.invented
        self.lost += other.lost


def ablated(sheets: Iterable[Known], vocabulary: str = INVENTED) -> dict[str, Outcome]:
    """Of each office what is found where labels are words of `vocabulary`: invented ones, or those of one of LANGUAGES."""
    found: dict[str, Outcome] = defaultdict(Outcome)
    for known in sheets:
        if "title_block" not in elements_of(known.truth):
            continue
        found[known.office].add(_outcome(known, invented if vocabulary == INVENTED else _foreign(vocabulary)))
    return dict(found)


def _outcome(known: Known, words: Words) -> Outcome:
    row = format_of(known.name)
    drawing: Drawing = import_module(row.reader).read(known.data, known.name)
    read = _read(drawing)
    texts = {text.id: text.text for sheet in drawing.sheets for text in sheet.texts}
    block = read.get("title_block") or {}
    truth = known.truth.get("title_block") or {}
    pairs = list(_pairs(block, texts, truth))
    _replace_labels(drawing, words, _of_tables(read) | _of_values(block))
    fields = (_read(drawing).get("title_block") or {}).get("fields") or {}
    return _compared(known.name, pairs, fields, truth, {pair.key: words(pair.label) for pair in pairs})


def _read(drawing: Drawing) -> dict[str, Any]:
    metadata = steps_of(drawing).interpret().drawing_metadata
    return metadata.model_dump(mode="json", exclude_none=True) if metadata is not None else {}


def _of_tables(read: Mapping[str, Any]) -> frozenset[str]:
    """Ids of texts of parts lists and revision tables, whose heads are no labels of the block."""
    return frozenset(source for name in ("bom", "revisions") for source in (read.get(name) or {}).get("sources") or ())


def _of_values(block: Mapping[str, Any]) -> frozenset[str]:
    """Ids of texts that values were read from and no label: `LINEAR: ±0.1` of a tolerance box, the number `ASSEMBLY_DRAWING`."""
    sources: Mapping[str, Sequence[str]] = block.get("sources") or {}
    labelled = {own[0] for own in sources.values() if own}
    return frozenset(source for own in sources.values() for source in own[1:]) - labelled


def _pairs(block: Mapping[str, Any], texts: Mapping[str, str], truth: Mapping[str, Any]) -> Iterator[Pair]:
    for key, value in (block.get("fields") or {}).items():
        sources = block["sources"][key]
        if key in truth and block["evidence"][key] in LABELLED and _same(truth[key], value):
            label = _label_of(texts.get(sources[0], ""), key)
            if label:
                yield Pair(key, label, value)


def _label_of(text: str, key: str) -> str:
    """The part of a text that is the label of `key`, or of the role in whose row its date stands."""
    spans = [line[slice(*span)] for line in text.splitlines() for span in spans_of_labels(line)]
    own = [label for label in spans if (word := title_labels.read(label)) and word.key == key]
    return (own or spans or [""])[0]


def spans_of_labels(line: str) -> list[tuple[int, int]]:
    """Where the labels of a line begin and end: all of it, or what stands before a value."""
    start = len(line) - len(line.lstrip())
    found = title_labels.read(line)
    if found is None or _COUNT_OF.fullmatch(line.strip()):
        return []
    if found.value and not found.colon and not is_distinctive(found.key, found.value):
        return []
    if not found.value:
        return [(start, len(line.rstrip().rstrip(":=\uff1a").rstrip()))]
    end = line.rstrip().removesuffix(found.value)
    return [(start, len(end.rstrip().rstrip(":=\uff1a").rstrip()))]


def _replace_labels(drawing: Drawing, words: Words, kept: Collection[str]) -> None:
    for sheet in drawing.sheets:
        sheet.texts = [text if text.id in kept else replaced(text, words) for text in sheet.texts]


def replaced(text: Text, words: Words) -> Text:
    """`text` with its labels as `words` says them."""
    lines = []
    for line in text.text.split("\n"):
        made = line
        for start, end in reversed(spans_of_labels(line)):
            made = made[:start] + words(made[start:end]) + made[end:]
        lines.append(made)
    new = "\n".join(lines)
    if new == text.text:
        return text
    advances = text.advances
    if advances is not None and len(new) != len(text.text):
        places = np.linspace(0, len(advances) - 1, len(new) + 1)
        advances = np.interp(places, np.arange(len(advances)), advances)
    # Outlines of the letters that were printed say nothing of those that stand there now.
    return replace(text, text=new, advances=advances, shapes=None)


def invented(label: str) -> str:
    """A word of the same length, case and script, always the same for a label."""
    for salt in range(50):
        digest = hashlib.sha256(f"{salt}{title_labels.folded(label)}".encode()).digest() * (len(label) // 32 + 1)
        made = "".join(_letter(sign, digest[place], place) for place, sign in enumerate(label))
        if is_unknown(made):
            return made
    return label


def _letter(sign: str, number: int, place: int) -> str:
    if not sign.isalpha():
        return sign
    name = unicodedata.name(sign, "")
    if name.startswith(("CJK", "HIRAGANA", "KATAKANA", "HANGUL")):
        return _HAN[number % len(_HAN)]
    script = 1 if name.startswith("CYRILLIC") else 2 if name.startswith("GREEK") else 0
    letters = _ALPHABETS[script][place % 2]
    made = letters[number % len(letters)]
    return made.upper() if sign.isupper() else made


def is_unknown(word: str) -> bool:
    """Whether no file of the vocabulary knows it as a label or as the head of a column."""
    return not (title_labels.read(word) or table_headers.concepts(word) or table_headers.label(word))


def _foreign(language: str) -> Words:
    """Words of a language: to each new label the next of like length, so that no two labels of a sheet share one."""
    given: dict[str, str] = {}

    def word(label: str) -> str:
        free = [each for each in LANGUAGES[language] if each not in given.values()] or list(LANGUAGES[language])
        return given.setdefault(title_labels.folded(label), min(free, key=lambda each: abs(len(each) - len(label))))

    return word


def _compared(
    name: str, pairs: Sequence[Pair], fields: Mapping[str, str], truth: Mapping[str, Any], printed: Mapping[str, str]
) -> Outcome:
    made = Outcome(pairs=len(pairs), formed=sum(pair.is_formed for pair in pairs))
    for pair in pairs:
        named = _same(pair.value, fields.get(pair.key))
        labelled = any(
            _same_or_number(pair, value) and alike(label, printed[pair.key], _SAME_VALUE)
            for label, value in fields.items()
        )
        made.found += named or labelled
        made.named += named and pair.is_formed
        if not (named or labelled):
            made.lost.append(f"{name}: {pair.label!r} {pair.value!r}")
    for label, value in fields.items():
        if label in TITLE_BLOCK_FIELDS and not _same(truth.get(label), value):
            made.invented += 1
            made.lost.append(f"{name}: invented {label} {value!r}")
        elif label not in TITLE_BLOCK_FIELDS and any(
            alike(label, word, _SAME_VALUE)
            and not any(_same_or_number(pair, value) for pair in pairs if printed[pair.key] == word)
            for word in printed.values()
        ):
            made.invented += 1
            made.lost.append(f"{name}: invented {label!r} {value!r}")
    return made


def _same(one: object, other: object) -> bool:
    return bool(one) and bool(other) and alike(one, other, _SAME_VALUE)


def _same_or_number(pair: Pair, value: str) -> bool:
    """Whether it is the value of a pair; of a sheet whose count has a label of its own the number alone."""
    return _same(pair.value, value) or (pair.key == "sheet" and pair.value.split()[0] == value)


def table(outcomes: Mapping[str, Mapping[str, Outcome]]) -> Table:
    """Found and named pairs by office, one column for each vocabulary in `outcomes`."""
    offices = sorted({office for by_office in outcomes.values() for office in by_office})
    whole = {name: together(by_office.values()) for name, by_office in outcomes.items()}
    rows = [_row("all", whole)]
    rows += [_row(office, {name: outcomes[name][office] for name in outcomes}) for office in offices]
    note = (
        "Pairs found of all pairs that are read with all words; formed pairs named of all formed pairs; fields invented. "
        "`invented` has labels of invented words, the other columns labels in a language that no one tuned for."
    )
    return Table("Accuracy with labels that no vocabulary knows", ("office", *outcomes), rows, note)


def together(outcomes: Iterable[Outcome]) -> Outcome:
    """The outcome over all of `outcomes`."""
    made = Outcome()
    for outcome in outcomes:
        made.add(outcome)
    return made


def _row(name: str, outcomes: Mapping[str, Outcome]) -> tuple[str, ...]:
    return (
        name,
        *(
            f"{each.found}/{each.pairs} found, {each.named}/{each.formed} named, {each.invented} invented"
            for each in outcomes.values()
        ),
    )
