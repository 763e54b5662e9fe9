"""How an entity looks: what it says itself, and how it is shown after its layer and the block reference that it is of."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from spatial.formats.dxf.pairs import Value
from spatial.formats.dxf.style import BYBLOCK, BYLAYER, color_of
from spatial.formats.dxf.tags import Layout, Record, Taker
from spatial.formats.dxf.text_codes import decoded

_CODES: Final = (8, 62, 420, 6, 370, 60)


@dataclass(frozen=True, slots=True, eq=False)
class Look:
    """What an entity itself says of how it looks; those of one layout that say the same have the same one."""

    layer: str
    color: str | None
    """None: of its layer; `block`: of the block reference."""
    linetype: str
    """BYLAYER, BYBLOCK and the like: of its layer."""
    width: float
    """Line weight in millimetres; 0: of its layer."""
    hidden: bool


class Shown(NamedTuple):
    """How an entity is shown, after its layer and the block reference that it is of."""

    layer: str
    color: str
    linetype: str
    width: float
    """Line weight in the sheet's units; 0 where it is the default."""
    hidden: bool
    dashed: bool


class Looks:
    """The looks of a file."""

    def __init__(self) -> None:
        self._of_layout: dict[Layout, tuple[Taker, dict[tuple[Value, ...], Look]]] = {}

    def of(self, record: Record) -> Look:
        """What an entity says of how it looks."""
        layout = record.layout
        known = self._of_layout.get(layout)
        if known is None:
            known = self._of_layout[layout] = (layout.getter(_CODES), {})
        take, looks = known
        values = take(record.values)
        look = looks.get(values)
        if look is None:
            look = looks[values] = _look_of(record)
        return look


def _look_of(record: Record) -> Look:
    index, width = record.whole(62, BYLAYER), record.whole(370)
    return Look(
        layer=decoded(record.name(8, "0")) or "0",
        color="block" if index == BYBLOCK and not record.has(420) else color_of(record, index),
        linetype=decoded(record.name(6, "BYLAYER")),
        width=width / 100 if width > 0 else 0.0,
        hidden=bool(record.whole(60)),
    )
