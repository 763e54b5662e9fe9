"""Notes that are callouts as well: `2. Ra 1.6` under NOTES (ISO 21920-1 §8), `Make M6 threads (4x) for the d=5mm holes.`"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from spatial.contract.drawing import Note, Notes
from spatial.models.sheet.drawing import Sheet, Text
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.prefix import is_order
from spatial.understanding.sheet.callouts.surface_finish import is_whole
from spatial.understanding.sheet.label import Label


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
        label = _label(note, source)
        if is_order(label.text) or is_whole(label, context):
            yield label


def _label(note: Note, source: Text) -> Label:
    left, bottom, right, top = source.box
    return Label(
        lines=(note.text,), page=source.page, position=((left + right) / 2, (bottom + top) / 2), box=source.box,
        angle=source.angle, height=source.height, sources=tuple(note.sources or ()),
    )  # fmt: skip
