"""Where the images of a PDF page are: what MuPDF paints as one, and no shading."""

from __future__ import annotations

from typing import Any

import numpy as np
import pymupdf
import pytest

from siege.hostile_files import pdf_bombs
from siege.hostile_files.writers import page, stream
from spatial.formats.pdf import images

SHADING = (
    b"<</ShadingType 2/ColorSpace/DeviceRGB/Coords[0 0 9 9]/Function<</FunctionType 2/Domain[0 1]/C0[0]/C1[1]/N 1>>>>"
)
IMAGE = b"/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8"
RESOURCES = b"/Resources<</Shading<</S 5 0 R>>/XObject<</I 6 0 R/M 7 0 R>>/ExtGState<</F<</ca .4>>>>>>"


def opened(content: bytes, turned: int = 0) -> Any:
    parts = SHADING, stream(b"\\0", IMAGE + b"/ColorSpace/DeviceGray"), stream(b"\\0", IMAGE + b"/ImageMask true")
    document: Any = pymupdf.open(stream=page(content, RESOURCES + b"/Rotate %d" % turned, *parts), filetype="pdf")
    return document[0]


@pytest.mark.requirement("pdf.images")
@pytest.mark.parametrize("turned", [0, 90, 180])
@pytest.mark.parametrize("painted", [b"/I Do", b"/M Do", b"/F gs /I Do", b"/F gs /M Do"])
def test_images_are_where_mupdf_paints_them(painted: bytes, turned: int) -> None:
    shown = opened(b"q 300 40 -20 200 50 60 cm %b Q" % painted, turned)
    expected = [image["bbox"] for image in shown.get_image_info()]
    assert len(expected) == (b"gs" not in painted)
    assert np.allclose(
        np.array(images.PageImages(shown).painted).reshape(-1, 4), np.array(expected).reshape(-1, 4), atol=1e-3
    )
    assert shown.rotation == turned


@pytest.mark.requirement("pdf.images")
def test_a_shading_is_no_image() -> None:
    assert images.PageImages(opened(b"/S sh")).covered() == 0.0
    assert images.PageImages(opened(b"q 842 0 0 595 0 0 cm /I Do Q")).covered() == 1.0


@pytest.mark.requirement("pdf.images")
@pytest.mark.parametrize(
    ("clips", "part"),
    [
        (b"0 0 421 595 re W n", 0.5),
        (b"0 0 421 595 re W n 0 0 842 297.5 re W n", 0.25),
        (b"q 0 0 1 1 re W n Q", 1.0),
        (b"0 0 m 842 0 l 842 297.5 l 0 297.5 l h W n", 0.5),
    ],
)
def test_an_image_covers_what_clipping_paths_leave_of_it(clips: bytes, part: float) -> None:
    shown = opened(b"q " + clips + b" 842 0 0 595 0 0 cm /I Do Q")
    assert images.PageImages(shown).covered() == pytest.approx(part, abs=0.01)


@pytest.mark.requirement("pdf.images")
def test_shadings_are_not_painted_to_look_for_images(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pymupdf.Page, "get_image_info", None)
    document: Any = pymupdf.open(stream=pdf_bombs.shadings(0.01), filetype="pdf")
    assert images.PageImages(document[0]).covered() == 0.0
