"""The pages of the Prefect UI with names that hold HTML and Markdown: they are shown, and never become elements."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Final

import pytest
from markdown_it import MarkdownIt

from flows import bulk
from flows.bulk import Account
from flows.rerun_batch import outcomes_page
from pipelines import batches, extraction, markdown
from pipelines.item_rerun import Repeated
from pipelines.jobs import Draft, ExtractJob, Receipt
from spatial.contract.usage import Usage
from spatial.errors import ParseError
from storage.postgres.batches import Batch, Item

HOSTILE: Final = {
    "image": '<img src=http://127.0.0.1:9/x onerror="alert(1)">.step',
    "script": "<script src='http://127.0.0.1:9/x'></script>",
    "markdown image": "![part](http://127.0.0.1:9/x)",
    "markdown link": "[part](http://127.0.0.1:9/x) <http://127.0.0.1:9/x> [a]: http://127.0.0.1:9/x",
    "address": "http://127.0.0.1:9/x www.example.com mail@example.com",
    "code": "`a` ``b`` ```<img src=x>``` `",
    "cells": "a | b | <img src=http://127.0.0.1:9/x> |",
    "lines": "a\n\n<img src=http://127.0.0.1:9/x>\n\n# heading\n\n---\n- item\r\n    code",
    "direction": "part\u202epets.exe\u2066\x1b[2J",
    "tag": "no <mxfile> in the file & no &lt;diagram&gt;",
    "entity": "&#60;img src=http://127.0.0.1:9/x&#62;",
    "emphasis": "_a_ *b* ~~c~~ **d** \\*e\\* --- 1. # > +",
    "cdata": "]]><!-- <?php ?> <![CDATA[ <a href='javascript:alert(1)'>",
}

ELEMENTS: Final = {"h2", "h3", "p", "ul", "li", "code", "table", "thead", "tbody", "tr", "th", "td"}
"""Elements that the pages are made of."""


def job_page(name: str) -> str:
    """The page of an extraction; the file's name, its contents and its warnings are hostile."""
    job = ExtractJob(
        operation_id="op_1", request_id=name, account_id="a", key_id="k", file_name=name, format="step", content_key="k"
    )
    draft = Draft(result_key=name, source_format="step", input_bytes=1, output_bytes=1, summary=[name], warnings=[name])
    usage = Usage(input_tokens=1, output_tokens=1)
    return extraction.summary_page(job, draft, Receipt(result_key=name, usage=usage, charged=True))


def batch_page(name: str) -> str:
    """The page of a batch; file name, request id, error and key are hostile."""
    now = datetime.now(UTC)
    items = (
        Item(file_name=name, format="step", target_contract="structured", state="done", result_key=name),
        Item(file_name=name, format="step", target_contract="structured", state="failed", error={"message": name}),
    )
    batch = Batch(
        id="cb_1", operation_id="op_1", account_id="a", key_id="k", request_id=name, state="done", version=1, flow_run_id=None,
        attempts=1, submitted_at=now, started_at=now, ended_at=now, cancelled_at=None, expires_at=now, is_expired=False, items=items,
    )  # fmt: skip
    return batches.items_page(batch)


def rerun_page(name: str) -> str:
    """The page of failed items that were extracted again."""
    row = Item(file_name=name, format="step", target_contract="structured", state="failed")
    return outcomes_page("cb_1", [(row, ParseError(name)), (row, Repeated(name, charged=True))])


def bulk_page(name: str) -> str:
    """The account of an ingest; URIs, messages, notes and problems are hostile."""
    account = Account(found=1, failed=1, failures=[(name, "parse_error", name)], notes=[name], examples=[name])
    return bulk.account_page("ingest", account, [name])


def dry_run_page(name: str) -> str:
    """The account of a dry run."""
    return bulk.account_page("ingest", Account(found=1, dry_run=True, would={"step": 1}, examples=[name]), [])


PAGES: Final[dict[str, tuple[Callable[[str], str], int]]] = {
    "extraction": (job_page, 5),
    "batch": (batch_page, 5),
    "rerun": (rerun_page, 4),
    "ingest": (bulk_page, 5),
    "dry run": (dry_run_page, 1),
    "description": (markdown.escape, 1),
}
"""Each page, and how often it shows the name."""


class Rendered(HTMLParser):
    """Elements, attributes and text of a page as Prefect's UI renders it: Markdown that may hold HTML."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: set[str] = set()
        self.attributes: set[str] = set()
        self.text = ""
        self.feed(MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(page))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.requirement("prefect-ui.escaped")
@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("hostile", HOSTILE)
def test_a_name_is_shown_and_becomes_no_element(page: str, hostile: str) -> None:
    build, times = PAGES[page]
    name = HOSTILE[hostile]
    shown = Rendered(build(name))
    assert shown.elements <= ELEMENTS and not shown.attributes, shown.elements | shown.attributes
    assert shown.text.count(markdown.one_line(name)) == times, shown.text


@pytest.mark.requirement("prefect-ui.escaped")
def test_a_name_of_a_run_is_one_line_that_reads_in_one_direction() -> None:
    job = ExtractJob(
        operation_id="op_1", request_id="r", account_id="a", key_id="k", file_name="a\nb\u202efdp.\udc80 \u06a9\u200c\u06a9.step",
        format="step", content_key="k",
    )  # fmt: skip
    assert job.shown_name == "a b\\u202efdp.\\udc80 \u06a9\u200c\u06a9.step"


@pytest.mark.requirement("prefect-ui.escaped", "flow.artifact")
def test_a_warning_stands_once_on_the_page_of_an_extraction() -> None:
    assert job_page("w").count("- w") == 2, "the summary line and the warning"
