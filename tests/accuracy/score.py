"""How right a document is against the truth of its sheet.

What counts
  callouts     unique pairs of type and text; a plain size is neither asked for nor punished here (but see `outside diameters`),
               nor is a second type on a text that has one. Texts may differ in white space, case, decimal sign and the
               spelling of signs. Quantity, through and depth are asked of matched callouts; each part of a stack is asked
               for on its own. Two stacks that share a part (`Ø4.5 THRU` and `4X Ø4.5 THRU`, both over `SF Ø9`) ask for
               it twice.
  outside diameters
               each Ø that the label has as a plain size, once, and as no hole: whether none of its readings is a hole.
  frames       feature control frames of one sheet, each once: characteristic, tolerance, form of the zone, modifiers and datums must agree.
  basic        boxed sizes by their text, each once; invented ones where the label lists those of its sheet.
  datums       letters of datum signs, each once, where a label lists them (`datums`, which may be empty).
  dimensions   texts of plain sizes, as often as they stand there; invented ones where the label says that it lists them all
               (`dimensions_complete`). `score_dimensions` says the rest.
  title block  each key by itself: a wrong value is both missed and invented.
  tables       cells of parts lists and revision tables as multisets over the sheet.
  notes        texts that are 85 % alike.

A label may speak of some elements alone (`labelled`, a list of ELEMENTS); of the others nothing is asked and nothing is wrong.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from spatial.contract.callout_types import SPEC_CALLOUT_NAMES
from spatial.contract.drawing import TITLE_BLOCK_FIELDS
from tests.accuracy.score_dimensions import score_dimensions
from tests.accuracy.spelling import alike, numbers, same_text, spelled

Facts = Mapping[str, Any]
_DIAMETER: Final = re.compile(r"[Ø⌀]")
ELEMENTS: Final = ("callouts", "title_block", "bom", "revisions", "notes")
"""What a label lists, by its own keys; `callouts` are all that is said of views, with frames, datum signs and sizes."""


@dataclass
class Tally:
    """What was found, invented and missed."""

    right: int = 0
    invented: int = 0
    missed: int = 0

    @property
    def precision(self) -> float:
        return self.right / (self.right + self.invented) if self.right + self.invented else 1.0

    @property
    def recall(self) -> float:
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0

    @property
    def f1(self) -> float:
        both = self.precision + self.recall
        return 2 * self.precision * self.recall / both if both else 0.0

    @property
    def counts(self) -> tuple[int, int, int]:
        return self.right, self.invented, self.missed

    @property
    def figures(self) -> tuple[float, float, float]:
        return self.precision, self.recall, self.f1

    @property
    def asked(self) -> bool:
        return any(self.counts)

    def add(self, other: Tally) -> None:
        self.right, self.invented, self.missed = (
            self.right + other.right,
            self.invented + other.invented,
            self.missed + other.missed,
        )


@dataclass
class Score:
    """Tallies by what they count, what went wrong in words, and how sure each judged reading was."""

    tallies: defaultdict[str, Tally] = field(default_factory=lambda: defaultdict(Tally))
    misses: list[str] = field(default_factory=list)
    judged: list[tuple[str, float, bool]] = field(default_factory=list)
    """What it is, its confidence, whether it was right."""
    missed: list[tuple[str, str]] = field(default_factory=list)
    """What was printed and is not there: the name of its tally, its text. Of callouts each once, not by type."""
    wrong: list[tuple[str, str]] = field(default_factory=list)
    """What is there and was not printed, likewise."""

    def note(self, name: str, right: bool, miss: str, text: str = "") -> None:
        """One thing that was asked for; with its text, where it counts among what is missed."""
        if right:
            self.tallies[name].right += 1
            return
        self.tallies[name].missed += 1
        self.misses.append(miss)
        if text:
            self.missed.append((name, text))

    def invent(self, name: str, miss: str, text: object) -> None:
        """One thing that nobody asked for, with its text."""
        self.tallies[name].invented += 1
        self.misses.append(miss)
        self.wrong.append((name, str(text)))

    def judge(self, name: str, confidence: object, right: bool) -> None:
        if isinstance(confidence, int | float):
            self.judged.append((name, float(confidence), right))

    def add(self, other: Score) -> None:
        for name, tally in other.tallies.items():
            self.tallies[name].add(tally)
        self.judged += other.judged


def elements_of(truth: Facts) -> tuple[str, ...]:
    """The elements that a label speaks of: those it names, or all."""
    named = truth.get("labelled")
    return tuple(named) if isinstance(named, list) else ELEMENTS


def score(truth: Facts, structure: Facts) -> Score:
    """Of the `structure` of one document."""
    made, said, asked = Score(), structure.get("drawing_metadata") or {}, elements_of(truth)
    if "callouts" in asked:
        _views(truth, structure, made)
    if "title_block" in asked:
        _title_block(truth.get("title_block") or {}, said.get("title_block") or {}, made)
    for name in ("bom", "revisions"):
        if name in asked:
            _table(name, truth.get(name) or [], said.get(name) or {}, made)
    if "notes" in asked:
        _notes(truth.get("notes") or [], said.get("notes") or {}, made)
    return made


def _views(truth: Facts, structure: Facts, made: Score) -> None:
    """All that a label says in `callouts`, and what goes with them."""
    labelled, found = truth.get("callouts") or [], structure.get("callouts") or []
    _callouts(labelled, found, made)
    _frames(labelled, found, made)
    _basic(truth, found, made)
    _datums(truth.get("datums"), found, made)
    score_dimensions(truth, structure.get("dimensions") or [], made)


_CHARACTERISTICS = {
    "⏤": "straightness", "⏥": "flatness", "▱": "flatness", "○": "circularity", "⌭": "cylindricity", "⌒": "profile_of_a_line",
    "⌓": "profile_of_a_surface", "//": "parallelism", "∥": "parallelism", "⟂": "perpendicularity", "⊥": "perpendicularity",
    "∠": "angularity", "⌖": "position", "◎": "concentricity", "⌯": "symmetry", "↗": "circular_runout", "⌰": "total_runout",
    "＝": "longitudinal_section_profile",
}  # fmt: skip
_MODIFIERS = {"Ⓜ": "maximum_material", "Ⓛ": "least_material", "CZ": "combined_zone", "SZ": "separate_zones"}
_FRAME = re.compile(r"(?P<sign>\S+) (?P<form>[ØT]?) ?(?P<width>[\d.,]+)(?P<rest>.*)")


def _frames(truth: list[Facts], found: list[Facts], made: Score) -> None:
    """The frames of a sheet by what they say, each once."""
    wanted = {_written_frame(each["text"]): each["text"] for each in truth if each.get("type") == "gdt"}
    got = {
        _read_frame(part): each
        for each in found
        if each.get("type") == "gdt"
        for part in each.get("segments") or [each]
    }
    for frame, text in wanted.items():
        made.note("frames", frame in got, f"frame missed: {text!r}", text)
        if frame in got:
            made.judge("frames", got[frame].get("confidence"), True)
    for frame in got.keys() - wanted.keys():
        made.invent("frames", f"frame invented: {got[frame].get('text')!r}", got[frame].get("text"))
        made.judge("frames", got[frame].get("confidence"), False)


def _basic(truth: Facts, found: list[Facts], made: Score) -> None:
    """Boxed sizes. A label lists all of a sheet where its convention names the type, or where it lists the datums too."""
    wanted = {spelled(each["text"]): each for each in truth.get("callouts") or [] if each.get("type") == "basic"}
    got = {spelled(each.get("text")): each for each in found if each.get("type") == "basic"}
    right = {text for text, want in wanted.items() if any(same(want, each) for each in got.values())}
    for text, want in wanted.items():
        made.note("basic", text in right, f"basic missed: {want['text']!r}", want["text"])
    if "datums" not in truth and "basic" not in (truth.get("convention") or ""):
        return
    for each in got.values():
        is_right = any(same(want, each) for want in wanted.values())
        made.judge("basic", each.get("confidence"), is_right)
        if not is_right:
            made.invent("basic", f"basic invented: {each.get('text')!r}", each.get("text"))


def _datums(wanted: list[str] | None, found: list[Facts], made: Score) -> None:
    if wanted is None:
        return
    got = {str(each.get("datum")): each for each in found if each.get("type") == "datum"}
    for name in wanted:
        made.note("datums", name in got, f"datum missed: {name!r}")
    for letter, each in got.items():
        made.judge("datums", each.get("confidence"), letter in wanted)
        if letter not in wanted:
            made.invent("datums", f"datum invented: {letter!r}", letter)


def _written_frame(text: str) -> tuple[Any, ...]:
    """What a label says: sign, form and width of the zone, then modifiers and datums with blanks between."""
    parts = _FRAME.fullmatch(text)
    assert parts is not None, f"a label has the frame {text!r}; write sign, tolerance, modifiers and datums with blanks"
    words = re.sub(r"\[[^]]*\]", "", parts["rest"]).split()  # the width in the other unit
    return (
        _CHARACTERISTICS[parts["sign"]],
        float(parts["width"].replace(",", ".")),
        {"Ø": "cylindrical", "T": "diameter"}.get(parts["form"], _zone_without_sign(_CHARACTERISTICS[parts["sign"]])),
        tuple(_MODIFIERS[word] for word in words if word in _MODIFIERS),
        tuple(word for word in words if word not in _MODIFIERS),
    )


def _zone_without_sign(characteristic: str) -> str | None:
    """ISO 1101:2017 §17: of these characteristics the zone has a shape of its own, which no member says."""
    own = ("circularity", "cylindricity", "profile", "runout", "concentricity")
    return None if any(name in characteristic for name in own) else "parallel"


def _read_frame(callout: Facts) -> tuple[Any, ...]:
    datums = callout.get("datums") or ()
    return (
        callout.get("characteristic"),
        callout.get("tolerance"),
        callout.get("expressed_as") or callout.get("zone"),
        tuple(name for each in (callout, *datums) for name in each.get("modifiers") or ()),
        tuple(datum["datum"] for datum in datums),
    )


def _callouts(truth: list[Facts], found: list[Facts], made: Score) -> None:
    wanted, got = _once(truth), _once(found)
    copies = defaultdict[Any, list[Facts]](list)
    for each in found:
        copies[_key(each)].append(each)
    free, unused = list(got), {key: len(each) for key, each in copies.items()}
    for want in wanted:
        hit = next((each for each in free if each["type"] == want["type"] and same(want, each)), None)
        hit = hit or next((each for each in got if unused[_key(each)] > 0 and _is_part(each, want)), None)
        also = next((f" (found as {each['type']})" for each in free if same(want, each)), "")
        for name in ("callouts", f"callout {want['type']}"):
            made.note(name, hit is not None, f"callout missed: {want['type']} {want['text']!r}{also}")
        if hit is None:
            made.misses.pop()
            made.missed.append(("callouts", want["text"]))
            continue
        unused[_key(hit)] -= 1
        free = [each for each in free if each is not hit]
        made.judge("callouts", hit.get("confidence"), True)
        _details(want, hit, copies[_key(hit)], made)
    parts = [(want, part) for want in wanted for part in want.get("parts") or []]
    for want, part in parts:
        hit_part = any(each["type"] == part["type"] and (same(part, each) or same(want, each)) for each in got)
        made.note("parts of stacks", hit_part, f"part of a stack missed: {part['type']} {part['text']!r}")
    plain = [each for each in truth if each.get("type") not in SPEC_CALLOUT_NAMES]
    for each in free:
        if not _excused(each, wanted, [part for _, part in parts], plain):
            made.invent("callouts", f"callout invented: {each['type']} {each.get('text')!r}", each.get("text"))
            made.tallies[f"callout {each['type']}"].invented += 1
            made.judge("callouts", each.get("confidence"), False)
    _outside_diameters(wanted, plain, free, made)


def _outside_diameters(wanted: list[Facts], plain: list[Facts], free: list[Facts], made: Score) -> None:
    """free: the readings that are none of `wanted`."""
    sizes = {spelled(each.get("text")): each for each in plain if _DIAMETER.search(str(each.get("text")))}
    for size in sizes.values():
        if any(want["type"] == "hole" and same(want, size) for want in wanted):
            continue
        hole = next((each for each in free if each["type"] == "hole" and same(size, each)), None)
        made.note("outside diameters", hole is None, f"outside diameter taken for a hole: {size['text']!r}")
        if hole is not None:
            made.judge("callouts", hole.get("confidence"), False)


def _excused(found: Facts, wanted: list[Facts], parts: list[Facts], plain: list[Facts]) -> bool:
    """Whether a reading that nobody asked for is a matter of taste."""
    if any(part["type"] == found["type"] and same(part, found) for part in parts) or any(
        same(each, found) for each in plain
    ):
        return True
    return any(want["type"] != found["type"] and same(want, found) for want in wanted)


def _key(callout: Facts) -> tuple[Any, str]:
    return callout.get("type"), spelled(callout.get("text"))


def _once(callouts: Iterable[Facts]) -> list[Facts]:
    """Each pair of type and text, of the twelve types."""
    unique: dict[tuple[Any, str], Facts] = {}
    for callout in callouts:
        if callout.get("type") in SPEC_CALLOUT_NAMES:
            unique.setdefault(_key(callout), callout)
    return list(unique.values())


def same(truth: Facts, found: Facts) -> bool:
    """Whether a reading is this callout: by its text, by its text layer, or by a part of the same type."""
    texts = [text for text in (truth.get("text"), truth.get("text_layer")) if text]
    return any(same_text(text, found.get("text")) for text in texts) or _is_part(found, truth)


def _is_part(found: Facts, stack: Facts) -> bool:
    """Whether a reading is the part that gives a stack its type. Stacks may share a part: each asks for a reading of its own."""
    parts = [part for part in stack.get("parts") or [] if part.get("type") == stack.get("type") == found.get("type")]
    return any(same_text(part["text"], found.get("text")) for part in parts)


def _details(want: Facts, hit: Facts, copies: list[Facts], made: Score) -> None:
    """Of a match, and of all readings with its type and text: a sheet may say `Ø8` once a hole or `SF Ø9` in two stacks."""
    counts = {want.get("quantity") or 1, want.get("occurrences") or want.get("quantity") or 1}
    right = any((each.get("quantity") or 1) in counts for each in copies) or len(copies) in counts
    made.note("quantity", right, f"quantity: {want['text']!r} is {want.get('quantity')}, read {hit.get('quantity')}")
    for name in ("through", "depth"):
        value, read = want.get(name), hit.get(name)
        if value is not None:
            right = read == value or (name == "depth" and numbers(read) == numbers(value))
            made.note(name, right, f"{name}: {want['text']!r} is {value}, read {read}")


def _title_block(truth: Facts, found: Facts, made: Score) -> None:
    fields, sure = found.get("fields") or {}, found.get("confidences") or {}
    for key in TITLE_BLOCK_FIELDS:
        want, got = truth.get(key), fields.get(key)
        right = bool(want and got and (alike(want, got, 0.9) or spelled(got) == spelled(str(want).split("\n")[0])))
        for name in ("title block", f"title block {key}"):
            tally = made.tallies[name]
            tally.right += right
            tally.missed += bool(want) and not right
            tally.invented += bool(got) and not right
        if want and not right:
            made.missed.append(("title block", str(want)))
        if got and not right:
            made.wrong.append(("title block", str(got)))
        if got:
            made.judge("title block", sure.get(key, found.get("confidence")), right)
        if (want or got) and not right:
            made.misses.append(f"title block {key}: printed {want!r}, read {got!r}")


def _table(name: str, truth: list[Any], found: Facts, made: Score) -> None:
    want, got = _cells(table_rows(truth)), _cells(found.get("rows") or [])
    hit = want & got
    tally = made.tallies[name]
    tally.right += hit.total()
    tally.missed += (want - got).total()
    tally.invented += (got - want).total()
    made.missed += [(name, cell) for cell in (want - got).elements()]
    made.wrong += [(name, cell) for cell in (got - want).elements()]
    made.misses += [f"{name} cell missed: {cell!r}" for cell in want - got]
    made.misses += [f"{name} cell invented: {cell!r}" for cell in got - want]
    if got:
        made.judge(name, found.get("confidence"), want == got)


def table_rows(table: list[Any]) -> list[Any]:
    """Truth lists tables with rows, or rows themselves."""
    rows: list[Any] = []
    for entry in table:
        if isinstance(entry, dict) and "rows" in entry:
            rows += entry["rows"]
        elif isinstance(entry, dict):
            rows.append({key: value for key, value in entry.items() if key not in {"page", "table", "note"}})
        else:
            rows.append(entry)
    return rows


def _cells(rows: Iterable[Any]) -> Counter[str]:
    cells = (cell for row in rows for cell in (row.values() if isinstance(row, Mapping) else row))
    return Counter(text for text in map(spelled, cells) if text)


def _notes(truth: list[Any], found: Facts, made: Score) -> None:
    items = list(found.get("items") or [])
    for entry in truth:
        want = entry if isinstance(entry, dict) else {"text": entry}
        hit = next((item for item in items if alike(want.get("text"), item.get("text"), 0.85)), None)
        text = str(want.get("text"))
        made.note("notes", hit is not None, f"note missed: {want.get('number')} {text[:60]!r}", text)
        if hit is not None:
            items.remove(hit)
            made.judge("notes", found.get("confidence"), True)
    for item in items:
        text = str(item.get("text"))
        made.invent("notes", f"note invented: {item.get('number')} {text[:60]!r}", text)
        made.judge("notes", found.get("confidence"), False)
