"""The console in the machine's Chromium, driven by Playwright: an operator's browser that notes what goes wrong."""

from __future__ import annotations

import importlib.util
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.support.stack import RunningStack

if TYPE_CHECKING:
    from playwright.sync_api import Page

PROGRAM: Final = shutil.which("chromium")

FLAGS: Final = (
    "--no-sandbox",
    "--no-proxy-server",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
)
"""WebGL is drawn by the processor where there is no other."""

DESKTOP: Final = {"viewport": {"width": 1360, "height": 850}, "color_scheme": "light"}
PHONE: Final = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark", "has_touch": True}

PATIENCE: Final = 120_000
"""Milliseconds that a page may take; nothing is asserted of it."""

needs_browser: Final = pytest.mark.skipif(
    PROGRAM is None or importlib.util.find_spec("playwright") is None, reason="there is no chromium, or no playwright"
)


class Browser:
    """One window of an operator."""

    def __init__(self, stack: RunningStack, page: Page) -> None:
        self.stack, self.page = stack, page
        self.complaints: list[str] = []
        """Errors of the page's scripts, and what its security policy forbade."""
        self.foreign: list[str] = []
        """Addresses of other hosts that were asked."""
        self.expected: set[int] = set()
        """Statuses that the browser reports as errors and that the test brings about."""
        page.set_default_timeout(PATIENCE)
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._note_request)

    def open(self, path: str) -> None:
        """Open a page of the console."""
        self.page.goto(f"{self.stack.url}{path}")

    def sign_in(self) -> None:
        """Sign in as the operator of the first run."""
        self.open("/console")
        self.page.get_by_label("Name").fill("admin")
        self.page.get_by_label("Password").fill(password_of(self.stack))
        self.page.get_by_role("button", name="Sign in").click()
        self.page.wait_for_url("**/console")

    def extract(self, file: Path) -> None:
        """Give the viewer a file, and wait until its document is shown."""
        self.open("/console/viewer")
        self.page.set_input_files("#file", str(file))
        self.page.wait_for_url("**/console/viewer/*/req_*")
        self.page.wait_for_selector("#viewer[data-ready]")

    def tab(self, name: str) -> None:
        """Open a panel of the viewer."""
        self.page.get_by_role("tab", name=name).click()

    def evaluate(self, script: str) -> Any:
        """The value of an expression in the page."""
        return self.page.evaluate(script)

    def _note(self, message: Any) -> None:
        is_expected = any(f"status of {status}" in message.text for status in self.expected)
        if message.type == "error" and not is_expected:
            self.complaints.append(message.text)

    def _note_request(self, request: Any) -> None:
        if not request.url.startswith((self.stack.url, "data:", "blob:")):
            self.foreign.append(request.url)


def password_of(stack: RunningStack) -> str:
    """What the first run printed."""
    (place,) = [number for number, line in enumerate(stack.stdout) if line.startswith("console account admin")]
    return stack.stdout[place + 2].strip()


@contextmanager
def browser(stack: RunningStack, kind: dict[str, Any] = DESKTOP) -> Iterator[Browser]:
    """A window in which the operator is signed in. At its end no script has failed and no other host was asked."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        program = playwright.chromium.launch(executable_path=PROGRAM, args=list(FLAGS))
        try:
            opened = Browser(stack, program.new_context(**kind).new_page())
            opened.sign_in()
            yield opened
            assert opened.complaints == []
            assert opened.foreign == []
        finally:
            program.close()
