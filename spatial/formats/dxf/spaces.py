"""The file's spaces and blocks: which records are drawn where.

Glossary
  group     an entity with the records that follow it: an INSERT with its ATTRIBs, a POLYLINE with its VERTEX records.
  space     model space, or a paper-space layout.
  block     a named group of entities that INSERT, DIMENSION and ACAD_TABLE draw.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from spatial.formats.dxf.style import Styles
from spatial.formats.dxf.tags import File, Record
from spatial.formats.dxf.text_codes import decoded

EXTERNAL: Final = 4
"""Bit of a block's group 70: what it shows is another drawing."""
_FOLLOWERS: Final = frozenset(("ATTRIB", "VERTEX", "SEQEND"))
_PAPER: Final = frozenset(("*paper_space", "$paper_space"))
_MODEL: Final = frozenset(("*model_space", "$model_space"))


@dataclass(slots=True)
class Group:
    """One entity."""

    record: Record
    followers: tuple[Record, ...] = ()


@dataclass(slots=True)
class Block:
    """One block."""

    name: str
    base: tuple[float, float]
    groups: list[Group]
    path: str = ""
    """Of the drawing that an external reference shows (group 70 has bit 4)."""


@dataclass(slots=True)
class Space:
    """What one sheet is made of."""

    name: str
    groups: list[Group]
    layout: Record | None = None
    """The LAYOUT object of a paper space."""
    paper: bool = False


def group_records(records: list[Record]) -> list[Group]:
    """Entities with their followers."""
    found: list[Group] = []
    for record in records:
        if record.type in _FOLLOWERS:
            if found:
                found[-1].followers += (record,)
        else:
            found.append(Group(record))
    return found


def read_blocks(file: File) -> dict[str, Block]:
    """All blocks by name in lower case; of two with one name the first."""
    found: dict[str, Block] = {}
    opened: Record | None = None
    content: list[Record] = []
    for record in [*file.sections.get("BLOCKS", []), Record("ENDBLK", [], [])]:
        if record.type in ("BLOCK", "ENDBLK"):
            if opened is not None:
                name = decoded(opened.name(2))
                path = decoded(opened.name(1)) if opened.whole(70) & EXTERNAL else ""
                block = Block(name, (opened.number(10), opened.number(20)), group_records(content), path)
                found.setdefault(name.lower(), block)
            opened, content = (record if record.type == "BLOCK" else None), []
        elif opened is not None:
            content.append(record)
    return found


def read_spaces(file: File, blocks: dict[str, Block], styles: Styles) -> list[Space]:
    """Model space, then the layouts in the order of their tabs; a layout on which nothing was ever put is left out."""
    entities = group_records(file.sections.get("ENTITIES", []))
    model: list[Group] = []
    active: list[Group] = []
    for group in entities:
        record = group.record
        (active if record.has(67) and record.whole(67) else model).append(group)
    for name in _MODEL:
        model += blocks[name].groups if name in blocks else []
    found = [Space("Model", model)]
    layouts = _layouts(file, styles)
    taken = False
    for _, name, block, record in layouts:
        here = list(blocks[block].groups) if block in blocks else []
        if block in _PAPER:
            here, taken = [*here, *active], True
        found.append(Space(name, here, record, paper=True))
    if active and not taken:
        found.append(Space("Layout1", active, paper=True))
    return [space for space in found if not space.paper or space.groups]


def _layouts(file: File, styles: Styles) -> list[tuple[int, str, str, Record]]:
    """Tab, name, block and LAYOUT of each paper space."""
    found: list[tuple[int, str, str, Record]] = []
    for record in file.sections.get("OBJECTS", []):
        if record.type != "LAYOUT":
            continue
        own = record.after("AcDbLayout")
        block = styles.blocks.get(own.name(330), "").lower()
        if block not in _MODEL and own.name(1).lower() != "model":
            found.append((own.whole(71), decoded(own.name(1)), block, record))
    return sorted(found, key=lambda layout: layout[0])
