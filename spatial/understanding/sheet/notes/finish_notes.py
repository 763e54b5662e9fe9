"""Notes that are a requirement on surface texture and nothing else: `2. Ra 1.6` under NOTES. ISO 21920-1 §8."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spatial.contract.drawing import Note, Notes
from spatial.models.sheet.drawing import Sheet, Text
from spatial.understanding.sheet.callouts.context import Context
from spatial.understanding.sheet.callouts.surface_finish import is_whole
from spatial.understanding.sheet.label import Label


def finish_labels(notes: Notes, sheets: Sequence[Sheet], context: Context) -> Iterator[Label]:
    """Each such note as a label that nothing ties to the part; notes whose texts are not on the sheets are left out."""
    texts = {text.id: text for sheet in sheets for text in sheet.texts}
    for note in notes.items:
        source = next((texts[name] for name in note.sources or () if name in texts), None)
        if source is not None and is_whole(label := _label(note, source), context):
            yield label


def _label(note: Note, source: Text) -> Label:
    left, bottom, right, top = source.box
    return Label(
        lines=(note.text,), page=source.page, position=((left + right) / 2, (bottom + top) / 2), box=source.box,
        angle=source.angle, height=source.height, sources=tuple(note.sources or ()),
    )  # fmt: skip
