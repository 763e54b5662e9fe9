"""Notes that are callouts as well: `2. Ra 1.6` under NOTES (ISO 21920-1 §8), `Make M6 threads (4x) for the d=5mm holes.`

So is the texture of most surfaces in a cell of the title block, `Ra=6.3` under General roughness: it stands at or near that (ISO 1302 §9).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import Final

from spatial.contract.drawing import Notes
from spatial.models.sheet.drawing import Sheet, Text
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.prefix import is_order
from spatial.understanding.sheet.callouts.surface_finish import is_whole
from spatial.understanding.sheet.label import Label

_PARAMETER: Final = "R"
"""Letter of the parameters of the profile of roughness (ISO 21920-2)."""


def called_labels(notes: Notes, sheets: Sequence[Sheet], context: Context, claimed: Collection[str]) -> Iterator[Label]:
    """Each note that is a requirement on surface texture and nothing else, or begins with a verb that orders a feature.

    As a label that nothing ties to the part; notes whose texts are not on the sheets are left out, and those whose lettering is not
    `claimed` by the notes: it is read with the part.
    """
    texts = {text.id: text for sheet in sheets for text in sheet.texts}
    for note in notes.items:
        source = next((texts[name] for name in note.sources or () if name in texts and name in claimed), None)
        if source is None:
            continue
        label = _label(note.text, source, tuple(note.sources or ()))
        if is_order(label.text) or is_whole(label, context):
            yield label


def called_cells(sheets: Sequence[Sheet], context: Context, claimed: Collection[str]) -> Iterator[Label]:
    """Each text of a title block that is a requirement on surface texture with its parameter and nothing else; claimed: its texts."""
    own = (text for sheet in sheets for text in sheet.texts if text.id in claimed)
    for text in (each for each in own if each.text.lstrip()[:1] == _PARAMETER):
        label = _label(text.text, text, (text.id,))
        if is_whole(label, context):
            yield label


def _label(said: str, source: Text, sources: tuple[str, ...]) -> Label:
    left, bottom, right, top = source.box
    return Label(
        lines=(said,), page=source.page, position=((left + right) / 2, (bottom + top) / 2), box=source.box,
        angle=source.angle, height=source.height, sources=sources,
    )  # fmt: skip
