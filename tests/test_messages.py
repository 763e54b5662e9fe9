"""What users read is written by the same rules: errors, warnings, what commands print, help texts."""

from __future__ import annotations

import ast
import gc
import importlib.util
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, Final

import pytest

from spatial.counting import count_of
from tests.support.stack import ROOT

NAMES: Final = {
    "API", "Authorization", "CAD", "DXF", "IGES", "Idempotency-Key", "Landlock", "PDF", "PNG", "Parquet", "PostgreSQL", "Postgres",
    "Prefect", "Prefect's", "Python", "Redis", "STEP", "SVG",
    "Stripe", "Stripe-Signature",
}  # fmt: skip
"""Words that a message may begin with in upper case: names, acronyms, header fields."""

MESSAGES: Final = 600
"""Fewer are found only where the search is broken."""

IDENTIFIER: Final = re.compile(r"[A-Z][A-Z0-9_]+")
"""A constant of the code or a setting."""

VERBS: Final = (
    "activate", "add", "allow", "announce", "call", "cancel", "cast", "check",
    "choose", "close", "convert", "copy", "correct", "create", "delete",
    "draw", "drop", "enter", "export", "extract",
    "free", "get", "give", "grant", "ingest", "install", "keep", "list", "make", "mount", "move",
    "name", "open", "pass", "PUT",
    "put", "read", "record",
    "register", "reload", "remove", "rename", "repair", "repeat", "replace", "report", "restart", "restore", "retry", "run",
    "save", "see", "select", "send", "serve", "set", "shorten", "show", "sign", "simplify", "split", "start", "state", "stop", "submit",
    "try", "turn", "unlink", "unset", "update", "upgrade", "use", "wait", "write",
)  # fmt: skip
"""Imperatives that begin the part of an error that says what to do."""

WITHOUT_ADVICE: Final = {
    "BrokenFrame": "frames go between the converter's processes; no user sees them",
    "FrameTooLarge": "frames go between the converter's processes; no user sees them",
    "StartError": "is quoted by the error that the converter raises in its place, which has the advice",
    "StripeRefused": "has the words of Stripe; an operator reads them in the list of unsent usage",
    "_fail": "is quoted by the error that the converter raises in its place, which has the advice",
    "Unusable": "a face or curve that cannot be measured; the reader makes a warning of it",
    "NotBuildable": "the reason in the warning about a feature of a partner's tree",
    "Damaged": "is quoted by the warning of the DXF reader",
    "CutOff": "is quoted by the warning of the DXF reader",
    "ValueError": "is caught, and quoted by the error that its caller raises",
    "LookupError": "is caught by the caller",
    "RuntimeError": "a programmer reads it in a log",
    "UrlRefused": "is quoted by the error about the URL, which has the advice, or recorded with an attempt that is repeated",
    "NotPosted": "is recorded with an attempt that is repeated",
    "Cancelled": "a state that the caller or an operator has asked for",
    "LineReaderUnavailable": "is quoted by the warning about the drawn lettering of the page",
    "Malformed": "ends the reading of one instance of a STEP file; a warning names the instance",
    "cancel": "a state that an operator has asked for",
}
"""Exceptions, and functions that raise them, whose messages need not say what to do, with the reason."""

SINGULAR: Final = (
    "as", "across", "answers", "asks", "belongs", "carries", "contains", "does", "exists", "gives", "has", "holds", "inflates", "is",
    "its", "lies",
    "lists", "makes", "names", "needs", "reads", "refuses", "resolves", "runs", "stands", "starts", "this", "was",
)  # fmt: skip
"""Words on s after a placeholder that are no nouns in the plural."""

COUNTED: Final = re.compile(rf"(?<!\.)\{{([^{{}}]*)\}} (?:of )?(?!(?:{'|'.join(SINGULAR)})\b)[a-z]+(?<!s)s\b(?!')")
"""A placeholder and the noun in the plural that follows it."""

IS_CONSTANT: Final = re.compile(
    r"count_of\(.*|title|(?:\w+\.)*[A-Z][A-Z_]+(?: // .*| / .*)?|.*\blimit\b.*|.*\bseconds\b|.*_bytes\b|.*\.memory\b.*"
)
"""Expressions whose value is never 1: constants, limits of bytes, seconds, titles of formats."""


@cache
def script() -> ModuleType:
    """scripts/messages.py."""
    path = ROOT / "scripts" / "messages.py"
    spec = importlib.util.spec_from_file_location("messages", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["messages"] = module
    spec.loader.exec_module(module)
    return module


@cache
def messages() -> tuple[Any, ...]:
    """Every message of the code, which takes seconds to find."""
    return tuple(script().messages())


def faults(message: Any) -> Iterator[str]:
    """What is wrong with a message."""
    text = message.text.strip()
    if "  " in text and message.kind in ("error", "warning", "part", "finding", "help"):
        yield "two spaces"
    if message.kind in ("error", "warning") and begins_upper(text):
        yield "begins with a capital"
    if message.kind == "help":
        if not (text[0].isupper() or text[0] == "`") or not text.endswith("."):
            yield "a help text begins with a capital and ends with a full stop"
    elif text.endswith(".") and message.kind != "output":
        yield "ends with a full stop"
    if counts_without_singular(text):
        yield "counts without a singular; use count_of"
    if message.kind == "error" and message.maker not in WITHOUT_ADVICE and not advises(text):
        yield "does not say what to do"


def begins_upper(text: str) -> bool:
    word = re.match(r"[\w'-]+", text)
    return word is not None and word[0][0].isupper() and word[0] not in NAMES and not IDENTIFIER.fullmatch(word[0])


def counts_without_singular(text: str) -> bool:
    return any(not IS_CONSTANT.fullmatch(found[1]) for found in COUNTED.finditer(text))


def advises(text: str) -> bool:
    """Whether a part of it begins with an imperative, or stands for advice."""
    return (
        re.search(r"; \{(?:\w+\.)?(?:advice|remedy)\}", text) is not None
        or re.search(rf"(?:^|[;:,] |\bor |\band |\bthen |: )(?:{'|'.join(VERBS)})\b", text) is not None
    )


@pytest.mark.requirement("messages.rules")
def test_every_message_is_written_by_the_rules() -> None:
    found = {f"{each.source}:{each.line} {each.text}": list(faults(each)) for each in messages()}
    assert len(found) > MESSAGES
    assert {place: wrong for place, wrong in found.items() if wrong} == {}


@pytest.mark.requirement("messages.rules")
@pytest.mark.parametrize(
    ("kind", "text", "wrong"),
    [
        ("error", "The file is empty; export it again", "begins with a capital"),
        ("error", "the file is empty; export it again.", "ends with a full stop"),
        ("error", "the file is  empty; export it again", "two spaces"),
        ("error", "the file is empty", "does not say what to do"),
        ("error", "the file has {len(pages)} pages; send fewer", "counts without a singular"),
        ("error", "{file_name}: {depth} deep levels; send fewer", ""),
        ("error", "Authorization is missing; send it", ""),
        ("error", "SPATIAL_HOME is not set; set it", ""),
        ("error", "the file has more than {limit} bytes; send fewer", ""),
        ("error", "the form has more than {MAX_PARTS} parts; send fewer", ""),
        ("error", "the file has {count_of(len(pages), 'page')}; send fewer", ""),
        ("error", "{uri} lies in the lake; choose another", ""),
        ("warning", "The file is damaged", "begins with a capital"),
        ("warning", "{len(cells)} cells were left out", "counts without a singular"),
        ("warning", "only the first {index + 1} of {count} pages were read", "counts without a singular"),
        ("warning", "the file is damaged", ""),
        ("help", "port of the API", "begins with a capital and ends with a full stop"),
        ("help", "Port of the API", "begins with a capital and ends with a full stop"),
        ("help", "Port of the API.", ""),
        ("output", "{len(rows)} rows were written", "counts without a singular"),
    ],
)
def test_a_message_that_breaks_a_rule_is_found(kind: str, text: str, wrong: str) -> None:
    found = "; ".join(faults(script().Message(kind, "a.py", 1, "ParseError", text)))
    assert wrong in found if wrong else found == ""


@pytest.mark.requirement("messages.rules")
def test_an_exemption_from_advice_is_used_and_has_a_reason() -> None:
    makers = {each.maker for each in messages() if each.kind == "error" and not advises(each.text)}
    assert {maker for maker, reason in WITHOUT_ADVICE.items() if maker not in makers or " " not in reason} == set()


SOURCE: Final = """
import typer
from spatial.other import RemoteError, refuse

HINT = "export it again"
PARTS = {"read": "reading the file"}

class TooLarge(RemoteError):
    pass

def run(name, warnings):
    problem = f"{name} is too large" if name else "there is no name at all"
    raise TooLarge(f"{problem}; {HINT}")

def check(name):
    raise _refused("the name is taken", name)

def _refused(message, name):
    return RemoteError(f"{name}: {message}")

def fail(sentence) -> typer.Exit:
    typer.echo(f"spatial: {sentence}", err=True)
    return typer.Exit(1)

def command(phase):
    if phase:
        raise fail("the phase is unknown")
    refuse("the command is refused")
    raise TooLarge(f"while {PARTS[phase]} it ended: {_reason(phase)}")

def _reason(error):
    return "the reason is unknown" if error else str(error)

def read(file, warnings):
    warnings += list(_doubts(file))
    return Reading(warnings=["the file has no page"])

def _doubts(file):
    yield "the file has a doubtful page"
    if file:
        yield from ["the file has a second page"]
"""

OTHER: Final = """
class RemoteError(Exception):
    pass

def refuse(message):
    raise RemoteError(message)
"""


@pytest.mark.requirement("messages.listed")
def test_messages_are_followed_through_functions_and_variables(tmp_path: Path) -> None:
    (tmp_path / "spatial").mkdir()
    (tmp_path / "spatial" / "some.py").write_text(SOURCE)
    (tmp_path / "spatial" / "other.py").write_text(OTHER)
    found = {(each.kind, each.text) for each in script().messages(tmp_path)}
    assert found == {
        ("error", "{problem}; export it again"),
        ("part", "{name} is too large"),
        ("part", "there is no name at all"),
        ("part", "export it again"),
        ("error", "the name is taken"),
        ("error", "the phase is unknown"),
        ("error", "the command is refused"),
        ("error", "while {PARTS[phase]} it ended: {_reason(phase)}"),
        ("part", "reading the file"),
        ("part", "the reason is unknown"),
        ("warning", "the file has a doubtful page"),
        ("warning", "the file has a second page"),
        ("warning", "the file has no page"),
    }


class Parses:
    """Garbage whose finaliser parses, as one does that formats a traceback."""

    def __init__(self) -> None:
        self.circle = self

    def __del__(self) -> None:
        with suppress(SystemError):
            ast.parse("f(1 + 2)")


@pytest.mark.requirement("messages.listed")
def test_garbage_that_parses_when_it_is_collected_stops_no_search(tmp_path: Path) -> None:
    (tmp_path / "spatial").mkdir()
    (tmp_path / "spatial" / "some.py").write_text(SOURCE)
    (tmp_path / "spatial" / "other.py").write_text(OTHER)
    usual = gc.get_threshold()
    gc.set_threshold(50)
    try:
        for _ in range(40):
            Parses()
            assert script().messages(tmp_path)
    finally:
        gc.set_threshold(*usual)


@pytest.mark.requirement("messages.counts")
def test_a_count_of_one_has_the_singular() -> None:
    assert [count_of(number, "face") for number in (0, 1, 2, 1_000)] == ["0 faces", "1 face", "2 faces", "1,000 faces"]
    assert [count_of(number, "entity is", "entities are") for number in (1, 2)] == ["1 entity is", "2 entities are"]
