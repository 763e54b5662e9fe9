"""What a page of a PDF paints, interpreted once and recorded, from which its lettering is then asked in several ways.

To interpret a page of paths takes MuPDF ten times as long as to run its record.
"""

from __future__ import annotations

from typing import Any, Final

import pymupdf
from pymupdf import extra, mupdf

_EVERYWHERE: Final = mupdf.FzRect(mupdf.FzRect.Fixed_INFINITE)
_STEP: Final = 1e6


class RecordedPage:
    """The record of a page, as it stands unturned."""

    def __init__(self, page: Any) -> None:
        turned = page.rotation
        if turned:
            page.set_rotation(0)
        try:
            self._frame = mupdf.fz_bound_page(page.this)
            self._record = _recorded(page, self._frame)
        finally:
            if turned:
                page.set_rotation(turned)

    def trace(self) -> list[dict[str, Any]]:
        """What `Page.get_texttrace` gives."""
        spans: list[dict[str, Any]] = []
        device = extra.JM_new_texttrace_device(spans)
        device.ptm = mupdf.FzMatrix(1, 0, 0, -1, 0, self._frame.y1)
        mupdf.fz_run_display_list(self._record, device, mupdf.FzMatrix(), _EVERYWHERE, mupdf.FzCookie())
        mupdf.fz_close_device(device)
        return spans

    def text(self, flags: int) -> Any:
        """What `Page.get_textpage` gives."""
        options = mupdf.FzStextOptions()
        options.flags = flags
        return pymupdf.TextPage(mupdf.FzStextPage(self._record, options))


def _recorded(page: Any, frame: Any) -> Any:
    record = mupdf.fz_new_display_list(frame)
    device = mupdf.fz_new_list_device(record)
    # A record leaves out what has no extent, a blank for one, unless it is the tile of a pattern.
    mupdf.fz_begin_tile(device, _EVERYWHERE, _EVERYWHERE, _STEP, _STEP, mupdf.FzMatrix())
    mupdf.fz_run_page(page.this, device, mupdf.FzMatrix(), mupdf.FzCookie())
    mupdf.fz_end_tile(device)
    mupdf.fz_close_device(device)
    return record
