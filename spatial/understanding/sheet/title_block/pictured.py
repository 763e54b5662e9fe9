"""Fields of a title block that stand in a picture, if anywhere: the pixels of a logo are never read (spec: `drawing_metadata`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from spatial.contract.drawing import TitleBlock
from spatial.models.sheet.drawing import Box, Sheet
from spatial.models.sheet.extents import box_around

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


def _pictures_within(box: Box, page: int | None, entities: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Ids of the pictures whose middle lies in a box that is wider and higher than they are."""
    left, low, right, high = box
    for entity in entities:
        if entity["type"] != "image" or entity.get("page") != page:
            continue
        # Page formats list its corners as `points`, DXF as `outline`.
        corners = entity.get("points") or entity.get("outline")
        if not corners:
            continue
        across, along = zip(*(point[:2] for point in corners), strict=True)
        is_smaller = max(across) - min(across) < right - left and max(along) - min(along) < high - low
        x, y = (min(across) + max(across)) / 2, (min(along) + max(along)) / 2
        if is_smaller and left <= x <= right and low <= y <= high:
            yield entity["id"]
