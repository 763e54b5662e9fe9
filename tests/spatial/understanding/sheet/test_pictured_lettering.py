"""Pictures that may show lettering: a title block, a list or a view that is only pixels is said to be unread, a logo is not."""

from __future__ import annotations

from typing import Any

import pymupdf
import pytest

from spatial.models.reading import Meaning
from spatial.understanding.sheet.meaning import interpret
from tests.spatial.formats.pdf.test_reader import drawing, page

Place = tuple[float, float, float, float]

FRAME: Place = (20, 20, 822, 575)
BLOCK: Place = (500, 455, 821.5, 574.5)
LIST: Place = (500, 30, 800, 110)
ISOMETRIC: Place = (690, 30, 810, 150)
CELLS = (("TITLE", "MOUNTING PLATE"), ("DRAWN BY", "A. SMITH"), ("DWG NO", "PL-1234"), ("SCALE", "1:2"))


def _picture(sheet: Any, box: Place) -> None:
    image: Any = pymupdf.Pixmap(pymupdf.csGRAY, (0, 0, 80, 60), False)
    image.clear_with(200)
    sheet.insert_image(box, pixmap=image, keep_proportion=False)


def _sheet(*pictures: Place, lines: int = 0, block: bool = False) -> Any:
    """A sheet of A4 with a frame, a view of so many lines, and pictures; block: with a title block of texts."""
    document, sheet = page()
    for picture in pictures:
        _picture(sheet, picture)
    sheet.draw_rect(FRAME)
    sheet.insert_text((330, 200), "4x M6")
    for place in range(lines):
        sheet.draw_line((100, 150 + place), (300, 150 + place))
    for row, (label, value) in enumerate(CELLS if block else ()):
        top = BLOCK[1] + 30 * row
        sheet.draw_rect((BLOCK[0], top, FRAME[2], top + 30))
        sheet.insert_text((BLOCK[0] + 3, top + 8), label, fontsize=5)
        sheet.insert_text((BLOCK[0] + 6, top + 24), value, fontsize=10)
    return document


def _read(document: Any) -> tuple[Meaning, list[str]]:
    """What a document says, and its warnings of pictures."""
    meaning = interpret(drawing(document))
    return meaning, [warning for warning in meaning.warnings if "may show lettering" in warning]


def _absent(meaning: Meaning) -> Any:
    return meaning.drawing_metadata and (meaning.drawing_metadata.model_extra or {}).get("absent")


@pytest.mark.requirement("title.pictured-block")
@pytest.mark.parametrize("lines", [0, 200], ids=["few lines", "many lines"])
@pytest.mark.parametrize(
    "box", [BLOCK, (340, 395, 821.5, 574.5)], ids=["a twelfth of the sheet", "a sixth of the sheet"]
)
def test_a_title_block_that_is_only_a_picture_is_absent_with_its_reason(box: Place, lines: int) -> None:
    meaning, said = _read(_sheet(box, lines=lines))
    absent = _absent(meaning)
    assert meaning.drawing_metadata and meaning.drawing_metadata.title_block is None
    assert list(absent) == ["title_block"] and absent["title_block"]["page"] == 1
    assert "a picture stands where title blocks do" in absent["title_block"]["reason"]
    (name,) = absent["title_block"]["entities"]
    (warning,) = said
    assert warning.startswith("page 1: 1 picture may show lettering, which is pixels and was not read")
    assert f"{name} (lower right, " in warning and "export the sheet" in warning


@pytest.mark.requirement("pdf.pictured-lettering")
def test_a_list_that_is_only_a_picture_is_named_beside_a_block_that_is_read() -> None:
    meaning, said = _read(_sheet(LIST, block=True, lines=200))
    assert meaning.drawing_metadata and meaning.drawing_metadata.title_block
    assert meaning.drawing_metadata.title_block.fields["title"] == "MOUNTING PLATE" and _absent(meaning) is None
    assert len(said) == 1 and "(upper right, 5% of the sheet)" in said[0]


@pytest.mark.requirement("pdf.pictured-lettering")
@pytest.mark.parametrize(
    ("pictures", "lines"),
    [
        ((), 0),
        ([(700, 550, 760, 570)], 0),
        ([(30, 25, 110, 45)], 0),
        ([ISOMETRIC], 0),
        ([(350, 250, 450, 350)], 0),
        ([(90, 140, 310, 360)], 200),
        ([(840, 30, 1400, 400)], 0),
    ],
    ids=[
        "no picture",
        "a logo in the block",
        "a logo in a corner",
        "a shaded view in a corner",
        "a view in open space",
        "the ground of what is drawn",
        "off the page",
    ],
)
def test_logos_views_and_grounds_are_not_named(pictures: list[Place], lines: int) -> None:
    assert _read(_sheet(*pictures, lines=lines, block=True))[1] == []


@pytest.mark.requirement("pdf.pictured-lettering")
def test_views_that_may_be_in_pictures_are_named_together() -> None:
    views: list[Place] = [(60, 60, 260, 200), (300, 220, 500, 360)]
    _, said = _read(_sheet(*views, block=True))
    assert len(said) == 1 and said[0].startswith("page 1: 2 pictures may show lettering")
    assert _read(_sheet(views[0], block=True))[1] == [], "a twentieth of the sheet in open space"


@pytest.mark.requirement("pdf.pictured-lettering", "pdf.text-layer")
@pytest.mark.parametrize(
    ("side", "lines", "warnings"),
    [(1.0, 0, 1), (1.0, 120, 0), (0.4, 25, 1), (0.2, 0, 0)],
    ids=["shown by the image", "drawn over the image", "a view and a table beside it", "a logo"],
)
def test_text_on_a_page_hides_no_unread_picture(side: float, lines: int, warnings: int) -> None:
    document, sheet = page()
    _picture(sheet, (0, 0, side * sheet.rect.width, side * sheet.rect.height))
    sheet.insert_text((40, 40), "Made with the school edition of a program; not for sale")
    for place in range(lines):
        sheet.draw_line((40, 60 + place), (200, 60 + place))
    assert len(_read(document)[1]) == warnings


@pytest.mark.requirement("pdf.pictured-lettering")
def test_many_pages_of_pictures_are_counted() -> None:
    document, sheet = page()
    for place in range(10):
        sheet = sheet if place == 0 else document.new_page(width=842, height=595)
        _picture(sheet, (60, 60, 500, 400))
        sheet.insert_text((600, 500), "FIGURE")
    said = _read(document)[1]
    assert len(said) == 9
    assert said[-1] == "2 further pages have pictures that may show lettering, which is not read: 9, 10"
