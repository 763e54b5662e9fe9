"""PDF: the record of a page gives what PyMuPDF gives of the page, and paths come one by one as they come in a list.

Both use what PyMuPDF documents in part only (`pymupdf.extra`, `get_cdrawings(callback=…)`): a version that does otherwise fails here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pymupdf
import pytest

from spatial.formats.pdf.pieces import gather
from spatial.formats.pdf.recorded import RecordedPage
from tests.sheets.generate import sheet

FLAGS = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_INHIBIT_SPACES


def _drawn() -> Any:
    """A page with blanks shown alone, invisible and stroked text, text off the page and text that a clip cuts away."""
    page: Any = pymupdf.open().new_page(width=200, height=120)
    page.insert_text((20, 20), " ")
    page.insert_text((24, 20), "12,5 H7")
    page.insert_text((20, 40), "searched", render_mode=3)
    page.insert_text((20, 60), "outlined", render_mode=1)
    page.insert_text((190, 60), "over the edge")
    page.draw_line((10, 10), (90, 10))
    page.draw_rect((10, 70, 40, 90), color=(1, 0, 0), fill=(0, 0, 1))
    page.draw_rect((50, 70, 80, 90), color=None, fill=(1, 1, 1))
    page.draw_circle((120, 80), 10)
    content = page.read_contents()
    clipped = b"q 0 0 10 10 re W n BT /helv 8 Tf 60 50 Td (cut away) Tj ET Q "
    page.parent.update_stream(page.get_contents()[0], content + clipped)
    for xref in page.get_contents()[1:]:
        page.parent.update_stream(xref, b" ")
    return page


PAGES = [_drawn, *[lambda seed=seed: pymupdf.open(stream=sheet(seed, format="pdf").data)[0] for seed in (1, 2)]]


@pytest.mark.requirement("pdf.lines", "pdf.frame")
@pytest.mark.parametrize("rotation", [0, 90])
@pytest.mark.parametrize("made", PAGES)
def test_a_record_gives_the_text_of_its_page(made: Any, rotation: int) -> None:
    page = made()
    page.set_rotation(rotation)
    recorded = RecordedPage(page)
    assert page.rotation == rotation
    assert recorded.trace() == page.get_texttrace()
    for flags in (FLAGS, FLAGS | pymupdf.TEXT_CLIP):
        assert recorded.text(flags).extractRAWDICT() == page.get_textpage(flags=flags).extractRAWDICT()


@pytest.mark.requirement("pdf-paths.entities", "pdf-paths.style")
@pytest.mark.parametrize("made", PAGES)
def test_paths_come_one_by_one_as_they_come_in_a_list(made: Any) -> None:
    page = made()
    listed = page.get_cdrawings()
    pieces = gather(page, [], 1)
    kinds = [path["type"] for path in listed]
    assert pieces.filled.tolist() == ["f" in kind for kind in kinds]
    assert pieces.stroked.tolist() == ["s" in kind for kind in kinds]
    lines = [[*item[1], *item[2]] for path in listed for item in path["items"] if item[0] == "l"]
    straight = pieces.ends[pieces.curve < 0].tolist()
    assert all(line in straight for line in lines)
    curves = [
        [*one, *two, *three, *four]
        for path in listed
        for kind, *places in path["items"]
        if kind == "c"
        for one, two, three, four in [places]
    ]
    assert np.array_equal(pieces.control, np.array(curves).reshape(-1, 8))
    white = [place for place, path in enumerate(listed) if path.get("fill") == (1.0, 1.0, 1.0)]
    assert sorted(pieces.masks) == white
    assert [pieces.masks[place].order for place in white] == [listed[place]["seqno"] for place in white]
