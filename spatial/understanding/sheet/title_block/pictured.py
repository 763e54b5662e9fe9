"""Fields of a title block that stand in a picture, if anywhere: the pixels of a logo are never read (spec: `drawing_metadata`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from spatial.contract.drawing import TitleBlock
from spatial.models.sheet.drawing import Box, Sheet
from spatial.models.sheet.extents import box_around

_BORDER: Final = 1.05
"""How much larger than its cell a picture may be: pictures have blank borders."""
SHOWN: Final = ("company",)
"""Fields that forms show as a logo."""
REASON: Final = (
    "no field of the block states it; a picture stands in the title block, and the lettering of pictures is not read"
)


def with_pictured(
    block: TitleBlock, lettering: frozenset[str], sheets: Sequence[Sheet], entities: Sequence[Mapping[str, Any]]
) -> TitleBlock:
    """`block` with `absent`: of each field that it lacks and that a picture in it may show, the reason and the ids of the pictures.

    lettering: ids of all texts of the block. entities: those of the document, in the units of its sheets.
    """
    missing = [key for key in SHOWN if key not in block.fields]
    page = (block.model_extra or {}).get("page")
    boxes = [text.box for sheet in sheets if sheet.page == page for text in sheet.texts if text.id in lettering]
    if not missing or not boxes:
        return block
    pictures = list(_pictures_within(box_around(boxes), page, entities))
    absent = {key: {"reason": REASON, "entities": pictures} for key in missing}
    return block.model_copy(update={"absent": absent}) if pictures else block


def pictures_by_page(entities: Sequence[Mapping[str, Any]]) -> dict[int, list[tuple[str, Box]]]:
    """Id and box of the pictures on each page, in the units of its sheet."""
    found: dict[int, list[tuple[str, Box]]] = {}
    for page, name, box in _pictures(entities):
        found.setdefault(page, []).append((name, box))
    return found


def _pictures(entities: Sequence[Mapping[str, Any]]) -> Iterator[tuple[int, str, Box]]:
    """Page, id and box of each picture."""
    for entity in entities:
        if entity["type"] != "image":
            continue
        # Page formats list its corners as `points`, DXF as `outline`.
        corners = entity.get("points") or entity.get("outline")
        if corners:
            across, along = zip(*(point[:2] for point in corners), strict=True)
            yield entity.get("page", 1), entity["id"], (min(across), min(along), max(across), max(along))


def _pictures_within(box: Box, page: int | None, entities: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Ids of the pictures whose middle lies in a box that is wider and higher than they are."""
    for own_page, name, picture in _pictures(entities):
        if own_page == page and is_within(picture, box):
            yield name


def is_within(picture: Box, box: Box) -> bool:
    """Whether the middle of a picture lies in a box that is as wide and high as it is, but for its blank border."""
    x, y = (picture[0] + picture[2]) / 2, (picture[1] + picture[3]) / 2
    width, height = _BORDER * (box[2] - box[0]), _BORDER * (box[3] - box[1])
    is_smaller = picture[2] - picture[0] < width and picture[3] - picture[1] < height
    return is_smaller and box[0] <= x <= box[2] and box[1] <= y <= box[3]
