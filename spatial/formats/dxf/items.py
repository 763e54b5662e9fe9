"""Groups of a space or block as items: parts, letterings, and what draws a block.

Glossary
  part      one shape of a space or block, with its layer and colour.
  item      a part, a lettering, or a group that draws a block: INSERT, DIMENSION, ACAD_TABLE.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from spatial.formats.dxf import dimension, leaders
from spatial.formats.dxf.curves import READERS, polyline_shape, shape_of
from spatial.formats.dxf.lettering import Lettering, StandsNowhereError, lettering_of
from spatial.formats.dxf.look import Look, Looks
from spatial.formats.dxf.plane import compose
from spatial.formats.dxf.polylines import Path
from spatial.formats.dxf.shape import Shape
from spatial.formats.dxf.spaces import Block, Group
from spatial.formats.dxf.style import Styles
from spatial.formats.dxf.tags import Record

_TEXTS: Final = frozenset(("TEXT", "MTEXT", "ATTDEF"))
_LEADERS: Final = frozenset(("MULTILEADER", "MLEADER"))
_SILENT: Final = frozenset(("SEQEND", "ENDBLK", "BLOCK", "ATTRIB", "VERTEX"))


@dataclass(slots=True)
class StyledShape:
    """One shape."""

    type: str
    shape: Shape
    look: Look
    handle: str
    """Of a LEADER."""


Item: TypeAlias = StyledShape | Lettering | Group


class ItemReader:
    """Reads groups; what blocks hold is read once."""

    def __init__(self, blocks: dict[str, Block], styles: Styles) -> None:
        self.blocks, self.styles = blocks, styles
        self._of_block: dict[str, list[Item]] = {}
        self.looks = Looks()
        self.left_out = 0
        """Entities whose coordinates are missing, absurd or damaged."""

    def of(self, group: Group) -> list[Item]:
        """The items of a group, in the frame of its space or block."""
        record = group.record
        type = record.type
        if type in READERS:
            return self._part(group)
        if type in _TEXTS:
            lettering = self.lettering(record)
            return [lettering] if lettering else []
        if type in ("INSERT", "ACAD_TABLE") or type in dimension.TYPES:
            return [group]
        if type in _LEADERS:
            return self._multileader(group)
        if type == "TOLERANCE":
            lettering = leaders.tolerance(record, self.styles)
            return [lettering] if lettering else []
        return self._part(group) if type not in _SILENT else []

    def lettering(self, record: Record) -> Lettering | None:
        """The lettering of a record; None where it says nothing, or is left out as it stands nowhere."""
        try:
            return lettering_of(record, self.styles)
        except StandsNowhereError:
            self.left_out += 1
            return None

    def _part(self, group: Group) -> list[Item]:
        record = group.record
        if record.type == "POLYLINE":
            type, shape = polyline_shape(record, [f for f in group.followers if f.type == "VERTEX"])
        else:
            type, shape = shape_of(record)
        if shape is None or not shape.is_sane():
            self.left_out += 1
            return []
        return [StyledShape(type, shape, self.looks.of(record), record.name(5) if type == "leader" else "")]

    def _multileader(self, group: Group) -> list[Item]:
        leader = leaders.multileader(group.record, self.styles)
        outline = leaders.multileader_outline(leader.lines)
        part = StyledShape("multileader", outline, self.looks.of(group.record), "")
        items: list[Item] = [part]
        lines = [replace(part, type="", shape=Path(line)) for line in leader.lines]
        items += lines
        if leader.lettering is not None:
            items.append(leader.lettering)
        block = self.blocks.get(self.styles.blocks.get(leader.block, "").lower())
        if block is not None and leader.place is not None:
            items += self._shown_block(block, leader)
        return items

    def _shown_block(self, block: Block, leader: leaders.MultiLeader) -> list[Item]:
        """The attributes of a block that a MULTILEADER shows (a balloon), where their definitions put them."""
        assert leader.place is not None
        m = compose(leader.place, (1.0, 0.0, 0.0, 1.0, -block.base[0], -block.base[1]))
        found: list[Item] = []
        definitions = [item for item in self.content(block) if isinstance(item, Lettering) and item.kind == "attdef"]
        for definition, text in zip(definitions, leader.attributes, strict=False):
            if text.strip():
                found.append(replace(definition, text=text, kind="leader", tag=definition.tag).moved(m))
        moved = (item for item in self.content(block) if isinstance(item, StyledShape))
        return [*found, *(replace(part, type="", shape=part.shape.moved(m)) for part in moved)]

    def content(self, block: Block) -> list[Item]:
        key = block.name.lower()
        if key not in self._of_block:
            self._of_block[key] = []
            self._of_block[key] = [item for group in block.groups for item in self.of(group)]
        return self._of_block[key]
