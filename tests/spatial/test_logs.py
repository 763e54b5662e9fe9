"""Log lines: their form, whom they belong to, and what never reaches them."""

from __future__ import annotations

import asyncio
import base64
import json
import logging
import re
import secrets
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spatial import logs, redaction
from spatial.errors import BillingUnavailable, ParseError

KEY = "sk_" + secrets.token_urlsafe(32)
CONTENT = base64.b64encode(secrets.token_bytes(600)).decode()
SIGNATURE = secrets.token_hex(32)
PRESIGNED = f"https://bucket.s3.amazonaws.com/a.step?X-Amz-Algorithm=AWS4&X-Amz-Credential=AKIAEXAMPLE7&X-Amz-Signature={SIGNATURE}"

THROWN: dict[str, tuple[str, tuple[str, ...]]] = {
    "a key": (f"the caller sent {KEY}!", (KEY,)),
    "a key in JSON": (json.dumps({"api_key": KEY, "x": 1}), (KEY,)),
    "a bearer token": ("Authorization: Bearer abcdefghijklmnop", ("abcdefghijklmnop",)),
    "headers as ASGI has them": (str([(b"authorization", b"Bearer abcdefghijklmnop")]), ("abcdefghijklmnop",)),
    "headers as httpx has them": (
        str({"authorization": "Basic c3BhdGlhbDpodW50ZXIy", "cookie": "session=hunter2"}),
        ("c3BhdGlhbDpodW50ZXIy", "hunter2"),
    ),
    "basic credentials": ("sent Basic c3BhdGlhbDpodW50ZXIy to Prefect", ("c3BhdGlhbDpodW50ZXIy",)),
    "any other scheme": ("authorization: Token hunter-one hunter-two", ("hunter-one", "hunter-two")),
    "a presigned address": (f"cannot download {PRESIGNED}: 403", (SIGNATURE, "AKIAEXAMPLE7")),
    "a presigned address in quotes": (f'GET "{PRESIGNED}" failed', (SIGNATURE, "AKIAEXAMPLE7")),
    "its query alone": (f"/a.step?X-Amz-Signature={SIGNATURE}&X-Amz-Expires=60", (SIGNATURE,)),
    "its query, quoted": (f"redirect=https%3A%2F%2Fb%2Fa%3FX-Amz-Signature%3D{SIGNATURE}", (SIGNATURE,)),
    "another store's signature": (f"https://account.blob.example/a?sv=1&sig={SIGNATURE}", (SIGNATURE,)),
    "a database URL": ("cannot reach postgresql+asyncpg://spatial:hunter2@db:5432/spatial", ("hunter2",)),
    "a password with signs": ("postgresql://u:p@ss/w#o?rd@db/x is down", ("p@ss", "w#o", "rd@")),
    "a password with a quote": ("dsn=postgresql://u:hun'ter2@db/x", ("hun'", "ter2")),
    "a password by name": ("password='hunter 2', user='x'", ("hunter",)),
    "an environment": ("SPATIAL_METRICS_TOKEN=hunter2 AWS_SECRET_ACCESS_KEY=hunter3 PREFECT_API_AUTH_STRING=a:hunter4",
                       ("hunter2", "hunter3", "hunter4")),
    "base64": (f"body was {CONTENT}", (CONTENT[:60], CONTENT[300:360], CONTENT[-60:])),
    "base64 over lines": ("\n".join(re.findall(".{1,76}", CONTENT)), (CONTENT[:60], CONTENT[-40:])),
    "short base64 by name": ('{"content_base64": "SVNPLTEwMzAzLTIx"}', ("SVNPLTEwMzAzLTIx",)),
    "bytes": (repr({"data": b"ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION(('secret part'))"}), ("secret part", "ISO-10303")),
    "a validation error": (
        "1 error\nfile\n  bad [type=x, input_value='the secret\npart', input_type=str]",
        ("the secret", "part'"),
    ),
    "parameters of a statement": ("[SQL: INSERT …]\n[parameters: ('acct', 'hunter2', [1])]\n(Background)", ("hunter2",)),
}  # fmt: skip


@pytest.mark.requirement("logs.no-secrets")
@pytest.mark.parametrize("what", THROWN)
@pytest.mark.parametrize("form", [logs.JsonLines, logs.TextLines])
@pytest.mark.parametrize("where", ["message", "argument", "field", "nested field", "name", "exception"])
def test_no_secret_reaches_a_line(what: str, form: type[logging.Formatter], where: str) -> None:
    said, hidden = THROWN[what]
    line = form().format(record(said, where)) if where != "name" else named(form(), said)
    flat = line.replace("\\n", "\n").replace('\\"', '"').replace("\\\\", "\\")
    for secret in hidden:
        assert secret not in line and secret not in flat, line


def record(said: str, where: str) -> logging.LogRecord:
    made: dict[str, Any] = {"name": "test", "msg": "plain"}
    if where == "message":
        made["msg"] = said
    elif where == "argument":
        made |= {"msg": "it was %s", "args": (said,)}
    elif where == "field":
        made[logs.FIELDS] = {"what": said}
    elif where == "nested field":
        made[logs.FIELDS] = {"what": {"list": [said]}, said: 1}
    else:
        try:
            raise ValueError(said)
        except ValueError:
            made["exc_info"] = sys.exc_info()
    return logging.makeLogRecord(made)


def named(form: logging.Formatter, said: str) -> str:
    with logs.about(request_id=said):
        return form.format(logging.makeLogRecord({"msg": "plain"}))


@pytest.mark.requirement("logs.no-secrets")
@pytest.mark.parametrize(
    "name", ["password", "metrics_token", "AWS_SECRET_ACCESS_KEY", "Authorization", "prefect_auth"]
)
def test_a_field_with_a_telling_name_is_not_shown(name: str) -> None:
    line = logs.JsonLines().format(
        logging.makeLogRecord({"msg": "x", logs.FIELDS: {name: "hunter2", "deep": {name: b"h"}}})
    )
    assert "hunter2" not in line and json.loads(line)[name] == json.loads(line)["deep"][name] == "***"


PLAIN = (
    "task_run extract of bracket.step ended: 12 input tokens, output_tokens=34",
    "HTTP Request: GET http://127.0.0.1:4200/api/health",
    "sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "Basic checks passed, disk_space is low, the key is unknown or revoked",
    'File "/app/.venv/lib/python3.11/site-packages/sqlalchemy/dialects/postgresql/asyncpg.py", line 12, in _prepare_and_execute',
    "req_0198f2b4c6d07a3e8f1d2c3b4a596877 cb_0198f2b4c6d07a3e8f1d2c3b4a596877 ø32 H7 ±0.1",
    "results/op_0198f2b4c6d07a3e8f1d2c3b4a596877/0.json is missing",
)


@pytest.mark.requirement("logs.one-line")
@pytest.mark.parametrize("said", PLAIN)
def test_what_is_no_secret_stays_as_it_is(said: str) -> None:
    assert redaction.text(said) == said


@pytest.mark.requirement("logs.one-line")
@given(said=st.text(), field=st.recursive(st.none() | st.floats() | st.text() | st.binary(), st.lists, max_leaves=5))
def test_a_record_is_one_json_line_whatever_is_in_it(said: str, field: Any) -> None:
    made = logging.makeLogRecord({"name": "test", "levelname": "INFO", "msg": said, logs.FIELDS: {"field": field}})
    line = logs.JsonLines().format(made)
    assert len(line.splitlines()) <= 1 and line.encode()
    told = json.loads(line, parse_constant=pytest.fail)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", told["time"])
    assert {"time", "level", "logger", "message", "field"} == set(told) and told["level"] == "info"
    assert len(logs.TextLines().format(made).splitlines()) == 1


@pytest.mark.requirement("logs.one-line", "logs.no-secrets")
def test_an_enormous_text_is_cut_in_time() -> None:
    for unit in (
        "a",
        "sk_",
        "://",
        "password=",
        "b'",
        "A/",
        "x@",
        "\\",
        "Bearer ",
        '"',
        "token,",
        "[parameters: ",
        "input_value=",
    ):
        assert len(redaction.text(unit * (8_000_000 // len(unit)))) < 2 * redaction.LONGEST


@pytest.mark.requirement("logs.one-line", "logs.text")
def test_an_exception_is_one_field_and_readable_as_text() -> None:
    broken = record("first\nsecond", "exception")
    told = json.loads(logs.JsonLines().format(broken))
    assert told["exception"].startswith("Traceback") and told["exception"].endswith("second")
    said = logs.TextLines().format(broken).splitlines()
    assert "Traceback" in said[1] and said[-2:] == ["ValueError: first", "second"]


@pytest.mark.requirement("logs.text")
def test_text_lines_say_the_same_and_nobody_can_forge_one() -> None:
    made = logging.makeLogRecord(
        {"name": "api", "levelname": "INFO", "msg": "a\n2026 ERROR \x1b[31m", logs.FIELDS: {"n": 1}}
    )
    with logs.about(request_id="req_1"):
        line = logs.TextLines().format(made)
    assert line.endswith(r"INFO    api: a\n2026 ERROR \x1b[31m request_id=req_1 n=1")


@pytest.mark.requirement("logs.names")
async def test_names_go_with_the_work_and_not_further() -> None:
    async def seen() -> dict[str, str]:
        await asyncio.sleep(0)
        return dict(logs.names())

    with logs.about(request_id="req_1", batch_id=None):
        task = asyncio.create_task(seen())
        with logs.about(flow_run_id="run"):
            assert await asyncio.create_task(seen()) == {"request_id": "req_1", "flow_run_id": "run"}
    assert await task == {"request_id": "req_1"} and not logs.names()


PROCESS = """
import logging, threading, sys
sys.path.insert(0, ".")
import prefect, uvicorn
from spatial import logs
logs.configure({form!r}, "info")
logging.getLogger("prefect").warning("from prefect, with {key}")
logging.getLogger("uvicorn.error").info("from uvicorn")
logging.getLogger("prefect.flow_runs").warning("kept with the run")
thread = threading.Thread(target=lambda: 1 / 0)
thread.start(); thread.join()
raise SystemError("{key}")
"""


@pytest.mark.requirement("logs.all-loggers", "logs.no-secrets")
def test_a_whole_process_speaks_json() -> None:
    code = PROCESS.format(form="json", key=KEY)
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert ended.returncode == 1 and ended.stdout == "" and KEY not in ended.stderr
    lines = [json.loads(line) for line in ended.stderr.splitlines()]
    assert [line["logger"] for line in lines] == ["prefect", "uvicorn.error", "process", "process"]
    assert "ZeroDivisionError" in lines[2]["exception"] and "SystemError" in lines[3]["exception"]


@pytest.mark.requirement("logs.no-secrets")
def test_a_handler_of_somebody_else_gets_no_secret_either() -> None:
    made = record(f"it was {KEY}", "exception")
    made.msg, made.args = "sent %s", (KEY,)
    assert logs.Redacting().filter(made)
    said = logging.Formatter().format(made)
    assert KEY not in said and "ValueError: it was sk_***" in said


def lines_of(error: Exception | None) -> list[str]:
    """The lines of a record with this exception, in each form; None: as a caller that asks for a traceback where there is none."""
    trace = (type(error), error, None) if error is not None else (None, None, None)
    made = {"msg": "it ended", "exc_info": trace}
    shown = [form().format(logging.makeLogRecord(made)) for form in (logs.JsonLines, logs.TextLines)]
    others = logging.makeLogRecord(made)
    assert logs.Redacting().filter(others)
    return [*shown, logging.Formatter().format(others)]


@pytest.mark.requirement("logs.refusal")
def test_a_refusal_is_one_line_and_what_has_no_exception_shows_none() -> None:
    for line in [*lines_of(ParseError("no ISO-10303-21 header")), *lines_of(None)]:
        assert "it ended" in line and "ParseError" not in line and "NoneType" not in line
    for line in lines_of(BillingUnavailable("gone")):
        assert "BillingUnavailable: gone" in line


@pytest.mark.requirement("logs.one-line", "prefect-ui.escaped")
def test_no_line_turns_the_direction_of_writing() -> None:
    made = logging.makeLogRecord({"msg": "%s", "args": ("part\u202estep.exe\x1b[2J",)})
    shown = [form().format(made) for form in (logs.JsonLines, logs.TextLines)]
    assert logs.Redacting().filter(made)
    for text in [*shown, made.getMessage()]:
        assert "\\u202e" in text and not {"\u202e", "\x1b"} & set(text)
