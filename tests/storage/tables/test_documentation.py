"""docs/tables.md is true: its columns are those of the views, its questions have the answers that their words promise."""

from __future__ import annotations

import importlib.util
import re
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from spatial.contract.extraction import CadExtraction
from storage.objects.lake import Lake
from storage.tables import descriptions
from storage.tables.ledger import to_naive_utc
from storage.tables.query import describe_view, list_views, query
from storage.tables.row_mapping import rows_of
from tests.storage.tables_lake import TableWriter

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "tables.md").read_text()

QUESTIONS = dict(re.findall(r"^(\S[^\n]*):\n\n```sql\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL))
"""What is asked, and how."""

PLATE = {
    "callouts": [
        {"type": "thread", "text": "4X M8 ↧12", "size": "M8", "designation": "M8x1.25", "quantity": 4, "depth": 12.0, "unit": "millimeter"},
        {"type": "thread", "text": "M8x1 LH", "size": "M8", "designation": "M8x1"},
        {"type": "thread", "text": "M80", "size": "M80", "designation": "M80x6"},
        {"type": "surface_finish", "text": "Ra 0.8", "parameter": "Ra", "value": 0.8, "page": 1},
        {"type": "surface_finish", "text": "Ra 1.6", "parameter": "Ra", "value": 1.6, "page": 1},
        {"type": "tolerance", "text": "2X 10 ±0.1", "quantity": 2, "upper_deviation": 0.1, "lower_deviation": -0.1, "unit": "millimeter"},
        {"type": "tolerance", "text": "20 +0.1", "upper_deviation": 0.1, "lower_deviation": 0, "unit": "millimeter"},
        {"type": "fit", "text": "30 h7", "upper_deviation": 0, "lower_deviation": -0.021, "unit": "millimeter"},
        {"type": "tolerance", "text": "Ø5 ±1", "diameter": 5, "upper_deviation": 1, "lower_deviation": -1, "unit": "millimeter"},
        {"type": "tolerance", "text": "45° ±1°", "upper_deviation": 1, "lower_deviation": -1, "unit": "degree"},
    ],
    "drawing_metadata": {
        "title_block": {
            "fields": {"title": "PLATE", "drawing_number": "D-1", "material": "3.3535 (EN-AW 5154A)", "revision": "B"},
            "confidence": 0.9,
            "sources": {},
        },
        "bom": {"columns": ["ITEM", "NAME"], "rows": [{"ITEM": "1", "NAME": "AXIS"}, {"ITEM": "2", "NAME": "RIVET"}], "confidence": 0.9},
    },
}  # fmt: skip
COVER = {
    "callouts": [{"type": "thread", "text": "M6", "size": "M6", "designation": "M6"}],
    "drawing_metadata": {
        "title_block": {"fields": {"title": "COVER"}, "confidence": 0.9, "sources": {}},
        "bom": {"columns": ["NAME"], "rows": [{"NAME": "AXIS"}], "confidence": 0.9},
    },
}
BLOCK = {
    "solids": [
        {
            "id": "solid-1",
            "name": "block",
            "volume": 10.0,
            "faces": [{"id": "f", "type": "cylinder", "radius": 5 / 25.4}] * 2,
        },
        {"id": "solid-2", "name": "pin", "volume": 0.1, "faces": [{"id": "f", "type": "cylinder", "radius": 5.0}]},
    ]
}
FLOW = {
    "pages": [
        {
            "id": "p",
            "name": "Page-1",
            "nodes": [{"id": "a", "label": "begin"}, {"id": "b", "label": "end"}, {"id": "c", "label": "lost"},
                      {"id": "d", "label": "Figure 1", "is_text": True}],
            "edges": [{"id": "e", "source": "a", "target": "b"}, {"id": "f", "source": None, "target": "b"}],
        }
    ]
}  # fmt: skip

ANSWERS: dict[str, list[tuple[Any, ...]]] = {
    "Threads of M8": [
        (source, text, quantity, depth, unit)
        for source in ("file:///copy.dxf", "file:///plate.dxf")
        for text, quantity, depth, unit in (("4X M8 ↧12", 4, 12.0, "millimeter"), ("M8x1 LH", None, None, None))
    ],
    "How many M8": [("D-1", "copy.dxf", 5), ("D-1", "plate.dxf", 5)],
    "Drawings of a material": [
        ("file:///copy.dxf", "D-1", "3.3535 (EN-AW 5154A)"),
        ("file:///plate.dxf", "D-1", "3.3535 (EN-AW 5154A)"),
    ],
    "Every surface": [("file:///copy.dxf", 1, "Ra 0.8", 0.8), ("file:///plate.dxf", 1, "Ra 0.8", 0.8)],
    "Parts of steel": [("file:///block.step", "block", pytest.approx(10 * 25.4**3 * 7.85e-6))],
    "Drawings without a revision": [("file:///cover.pdf", None, "COVER")],
    "Cylindrical faces": [("file:///block.step", "solid-1", 2)],
    "Shapes of diagrams": [("file:///flow.drawio", "Page-1", "lost")],
    "Candidates for a tolerance stack": [
        ("file:///copy.dxf", "millimeter", 3, 0.521),
        ("file:///plate.dxf", "millimeter", 3, 0.521),
    ],
    "What the parts lists order": [("AXIS", 2), ("RIVET", 1)],
    "Why files fail": [("parse_error", "dxf", 2, "cut off"), ("conversion_timeout", "step", 1, "too slow")],
    "What was metered": [
        ("acme", None, date(2026, 2, 3), 2, Decimal("0.0300000000")),
        ("zeta", None, date(2026, 2, 4), 1, Decimal("0.0100000000")),
    ],
}
"""How a question begins, and its answer over the lake that these tests lay."""


def made(kind: str, units: str, structure: dict[str, Any]) -> CadExtraction:
    """A document; callouts get what the contract asks of them."""
    callouts = [
        {"id": f"callout-{place}", "source": "annotation-1", **one}
        for place, one in enumerate(structure.get("callouts", ()))
    ]
    whole = {"kind": kind, **structure, **({"callouts": callouts} if callouts else {})}
    body = {"schema": "cad.extraction.v1", "source_format": "any", "units": units, "structure": whole, "statistics": {}}
    return CadExtraction.model_validate({**body, "warnings": [], "request_id": "r"})


@pytest.fixture
async def filled(tmp_path: Path) -> Lake:
    """A plate that lies there twice, a cover, a block in inches, a diagram, three failures, three metered items."""
    lake = Lake(f"file://{tmp_path}/lake")
    writer = TableWriter(lake)
    sources = [
        (("plate.dxf", "copy.dxf"), made("drawing2d", "millimeter", PLATE)),
        (("cover.pdf",), made("drawing2d", "point", COVER)),
        (("block.step",), made("brep", "inch", BLOCK)),
        (("flow.drawio",), made("diagram2d", "pixel", FLOW)),
    ]
    for names, document in sources:
        rows = rows_of(document, document_id=names[0], extraction_id=f"{names[0]}-1-1")
        [about] = rows["documents"]
        there = [{**about, "row_id": name, "source_uri": f"file:///{name}", "file_name": name} for name in names]
        await writer.add({**rows, "documents": there})
    failed = [
        ("parse_error", "dxf", "cut off"),
        ("parse_error", "dxf", "cut off"),
        ("conversion_timeout", "step", "too slow"),
    ]
    await writer.add(
        {"failures": [{"error_type": kind, "format": name, "message": said} for kind, name, said in failed]}
    )
    metered = [("acme", 3, "0.01"), ("acme", 3, "0.02"), ("zeta", 4, "0.01")]
    await writer.meter(
        *(
            {
                "account_id": account,
                "account": account,
                "created_at": to_naive_utc(datetime(2026, 2, day, tzinfo=UTC)),
                "estimated_cost_usd": Decimal(usd),
            }
            | dict.fromkeys(("operation_id", "key_id", "request_id", "route"), "x")
            | dict.fromkeys(("item", "input_tokens", "output_tokens"), 0)
            | dict.fromkeys(("estimated_input_cost_usd", "estimated_output_cost_usd"), Decimal(0))
            for account, day, usd in metered
        )
    )
    return lake


@pytest.mark.requirement("tables.questions")
async def test_every_question_of_the_page_has_its_answer(filled: Lake) -> None:
    assert len(QUESTIONS) == PAGE.count("```sql") == len(ANSWERS)
    for words, sql in QUESTIONS.items():
        [expected] = [answer for beginning, answer in ANSWERS.items() if words.startswith(beginning)]
        found = [tuple(row.values()) for row in await query(filled, sql)]
        assert sorted(found, key=repr) == sorted(expected, key=repr), words


@pytest.mark.requirement("tables.documented")
async def test_the_page_has_every_column_of_every_view_and_no_other(tmp_path: Path) -> None:
    told: dict[str, list[tuple[str, str]]] = {}
    for name, section in re.findall(r"^### (\w+)\n(.*?)(?=^### |\Z)", PAGE, re.MULTILINE | re.DOTALL):
        lines = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| (\S+) \| (\S.*?) \|$", section, re.MULTILINE)
        told[name] = [(column, kind) for columns, kind, _ in lines for column in re.findall(r"`(\w+)`", columns)]
    views = await list_views(Lake(f"file://{tmp_path}/lake"))
    assert {name: sorted(columns) for name, columns in told.items()} == {
        view.name: sorted(view.columns) for view in views
    }
    assert all(view.rows == 0 for view in views)


@pytest.mark.requirement("tables.documented")
async def test_the_page_and_the_command_show_the_same_descriptions(tmp_path: Path) -> None:
    spec = importlib.util.spec_from_file_location("tables_page", ROOT / "scripts" / "tables_page.py")
    assert spec and spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    lake = Lake(f"file://{tmp_path}/lake")
    views = await list_views(lake)
    assert script.page(views) == PAGE, "run python scripts/tables_page.py"
    for view in views:
        shown = await describe_view(lake, view.name.upper())
        assert [(name, kind) for name, kind, _ in shown.columns] == list(view.columns)
        assert all(text for _, _, text in shown.columns) and shown.about
        assert descriptions.own_columns()[view.name] <= {name for name, _ in view.columns}
    assert set(descriptions.own_columns()) == {view.name for view in views}
