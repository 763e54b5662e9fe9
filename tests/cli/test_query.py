"""`spatial query`: SQL over the tables that lie in the lake."""

from __future__ import annotations

import csv
import io
import json
import os
import pty
import re
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.cli.conftest import Spatial, clean_environment, one_sentence
from tests.storage.tables_lake import laid
from tests.support.warm_commands import SPATIAL


@pytest.fixture
def asked(tmp_path: Path) -> tuple[str, Path]:
    """--home, and a home whose lake has three callouts; no stack ever ran in it."""
    texts = ("M8", 'M8 "LH", 2\nPLCS', "Ø5 \x1b[31m")
    rows = [
        {
            "document_id": "d",
            "extraction_id": "e",
            "callout_id": f"callout-{place}",
            "type": "thread",
            "text": text,
            "quantity": place,
        }
        for place, text in enumerate(texts, start=1)
    ]
    laid(f"file://{tmp_path}/home/lake", {"callouts": rows})
    return "--home", tmp_path / "home"


def _on_a_terminal(*arguments: str | Path) -> tuple[str, str]:
    """What a person sees: stdout, and stderr."""
    ours, theirs = pty.openpty()
    command = [str(SPATIAL), *map(str, arguments)]
    with subprocess.Popen(command, stdout=theirs, stderr=subprocess.PIPE, env=clean_environment()) as process:
        os.close(theirs)
        seen = b""
        try:
            while part := os.read(ours, 1 << 16):
                seen += part
        except OSError:  # Linux says EIO where the other end is closed
            pass
        os.close(ours)
        assert process.stderr is not None
        said = process.stderr.read()
        assert process.wait(60) == 0
    return seen.decode(), said.decode()


@pytest.mark.requirement("cli.query.views", "cli.query.only-the-lake")
def test_without_sql_it_lists_the_views(spatial: Spatial, asked: tuple[str, Path]) -> None:
    shown = spatial("query", *asked)
    assert shown.returncode == 0, shown.stderr
    assert "callouts  3 rows" in shown.stdout
    assert "drawings  0 rows" in shown.stdout
    assert "quantity BIGINT" in " ".join(shown.stdout.split())
    assert sorted(path.name for path in asked[1].iterdir()) == ["lake"]


@pytest.mark.requirement("cli.query.describe", "cli.query.only-the-lake")
def test_it_explains_the_columns_of_a_view(spatial: Spatial, asked: tuple[str, Path]) -> None:
    shown = spatial("query", "--describe", "callouts", *asked)
    assert shown.returncode == 0, shown.stderr
    assert "One row per instruction of a drawing." in shown.stdout.splitlines()[0]
    lines = [re.split("  +", line) for line in shown.stdout.splitlines()[2:]]
    assert ["quantity", "BIGINT", "how many times it applies: 4 of `4X`"] in lines
    assert ["document_id", "VARCHAR", "SHA-256 of the file's bytes, hex"] in lines
    assert sorted(path.name for path in asked[1].iterdir()) == ["lake"]
    assert 'use "callouts", or another of' in one_sentence(spatial("query", "--describe", "calouts", *asked))
    both = spatial("query", "SELECT 1", "--describe", "callouts", *asked)
    assert "--describe runs no query" in one_sentence(both)


@pytest.mark.requirement("cli.query.formats", "cli.query.limit")
def test_an_answer_in_every_format(spatial: Spatial, asked: tuple[str, Path], tmp_path: Path) -> None:
    sql = "SELECT text, quantity, quantity / 2.0 AS half, NULL AS nothing, [1, 2] AS list, quantity FROM callouts ORDER BY quantity"
    piped = spatial("query", sql, "--limit", "2", *asked)
    assert list(csv.reader(io.StringIO(piped.stdout))) == [
        ["text", "quantity", "half", "nothing", "list", "quantity_1"],
        ["M8", "1", "0.5", "", "[1,2]", "1"],
        ['M8 "LH", 2\nPLCS', "2", "1.0", "", "[1,2]", "2"],
    ]
    as_json = spatial("query", sql, "--format", "json", *asked)
    whole = [
        {"text": text, "quantity": place, "half": place / 2, "nothing": None, "list": [1, 2], "quantity_1": place}
        for place, text in enumerate(("M8", 'M8 "LH", 2\nPLCS', "Ø5 \x1b[31m"), start=1)
    ]
    assert json.loads(as_json.stdout) == whole
    saved = spatial("query", sql, "--output", "answer.parquet", "--limit", "1", *asked)
    assert saved.returncode == 0 and "answer.parquet: 1 row," in saved.stderr, saved.stderr
    assert pq.read_table(tmp_path / "answer.parquet").to_pylist() == whole[:1]


@pytest.mark.requirement("cli.query.formats", "cli.query.limit")
def test_a_person_sees_a_table(asked: tuple[str, Path]) -> None:
    seen, said = _on_a_terminal(
        "query", "SELECT text, quantity FROM callouts ORDER BY quantity DESC", "--limit", "2", *asked
    )
    assert [line.split() for line in seen.splitlines()[1:]] == [
        ["Ø5", "\N{REPLACEMENT CHARACTER}[31m", "3"],
        ["M8", '"LH",', "2", "↵", "PLCS", "2"],
    ]
    assert "2 rows are shown" in said


@pytest.mark.requirement("cli.query.errors")
def test_what_is_wrong_is_one_sentence(spatial: Spatial, asked: tuple[str, Path], tmp_path: Path) -> None:
    assert 'use "callouts", or another of' in one_sentence(spatial("query", "FROM calouts", *asked))
    assert "no table parts; choose from documents" in one_sentence(spatial("query", "FROM parts", *asked))
    assert "does not end in csv, json, parquet" in one_sentence(
        spatial("query", "SELECT 1", "-o", "answer.txt", *asked)
    )
    (tmp_path / "answer.csv").write_text("as it was")
    assert "'M8'" in one_sentence(
        spatial("query", "SELECT CAST(text AS INTEGER) FROM callouts", "-o", "answer.csv", *asked)
    )
    assert (tmp_path / "answer.csv").read_text() == "as it was"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answer.csv", "home"]


@pytest.mark.requirement("cli.query.formats")
def test_an_answer_without_rows_says_so(spatial: Spatial, asked: tuple[str, Path]) -> None:
    for flags in ((), ("--format", "table"), ("--format", "json")):
        answer = spatial("query", "SELECT text FROM callouts WHERE quantity > 9", *flags, *asked)
        assert answer.returncode == 0 and answer.stderr.strip() == "0 rows"
