"""The callout types, one record each: name, whether the spec names it, its row of docs/callouts.md, its colour in the preview.

To add a type, add its record here, its rule in a file of its own under `spatial/understanding/sheet/callouts`, and the rule's row in
`registry.py` there. A missing part fails at import or in tests/spatial/understanding/sheet/callouts/test_registry.py.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

_COLOUR: Final = re.compile(r"#[0-9a-f]{6}")
_NAME: Final = re.compile(r"[a-z]+(?:_[a-z]+)*")


@dataclass(frozen=True, slots=True)
class CalloutType:
    """One type of callout."""

    name: str
    """Value of `Callout.type`."""
    colour: str
    """`#rrggbb`: the colour of its labels in the preview."""
    writings: str
    """Markdown: the notations that are recognised, as docs/callouts.md lists them."""
    members: str
    """Markdown: the members that it has in addition to those of every callout."""
    in_spec: bool = True
    """Whether the spec names it (spec: Callout item, `type`)."""

    @property
    def documentation(self) -> str:
        """Its row of the table in docs/callouts.md."""
        return f"| `{self.name}` | {self.writings} | {self.members} |"


def registered(types: Iterable[CalloutType]) -> tuple[CalloutType, ...]:
    """Check the records and return them unchanged.

    Raises:
        ValueError: a name is registered twice, or a record lacks a part.
    """
    known: dict[str, CalloutType] = {}
    for each in types:
        if each.name in known:
            raise ValueError(f"callout type '{each.name}' is registered twice; remove one of its records")
        if not _NAME.fullmatch(each.name):
            raise ValueError(f"callout type '{each.name}' is not a word in snake_case; rename it")
        if not _COLOUR.fullmatch(each.colour):
            raise ValueError(f"callout type '{each.name}' has no colour for the preview; add one as #rrggbb")
        if not each.writings or not each.members:
            raise ValueError(f"callout type '{each.name}' has no documentation; add `writings` and `members`")
        known[each.name] = each
    return tuple(known.values())


CALLOUT_TYPES: Final = registered(
    [
        CalloutType(
            "thread",
            "#7b3294",
            "`M8x1.25-6H LH`, `M8 links`, `M16xPh3P1.5`, `M8x20`, `1/4-20 UNC-2B`, `#10-32 UNF`, `.250-28`, `3/8 NPT`, `G1/2A`, "
            '`Rp 1/2`, `Rc1/4`, `Tr40x14(P7)`, `1 1/4-5 ACME-2G`, `W 3/8"`, `1/2-12 BSW`, `PG13,5`, `Rd 20x1/8`',
            "`standard`, `designation`, `size`, `diameter`, `unit` (of diameter and pitch), `pitch` (`pitch_is: coarse` where it "
            "follows from the size) or `tpi`, `lead`, `starts`, `class`, `hand`, `hole_depth`",
        ),
        CalloutType(
            "hole",
            "#1f78b4",
            "`4X Ø6.6 THRU`, `2-Ø8`, `Ø8 2 PLCS`, `4 HOLES Ø8 EQ SP ON Ø60 B.C.`, `Ø8 TIEF 12`, `Ø8 ↧12`, `Ø8 x 12 DEEP`, "
            "`4 отв. Ø8`, `4 No. Ø8 HOLES`, `FOUR HOLES Ø8`, `Ø8 x 4 HOLES`; a lone `Ø21`, which may be a shaft (confidence 0.7) "
            "unless its view shows that it is one",
            "`nominal`, `diameter`",
        ),
        CalloutType(
            "counterbore",
            "#1f9ab4",
            "`⌴Ø11 ↧6`, `CBORE Ø.50 x .25 DEEP`, `C'BORE`, `Zylindersenkung`, `Flachsenkung`, `Lamage`, `Lamatura`",
            "`diameter`, `unit`, `standard` (DIN 974), deviations",
        ),
        CalloutType(
            "countersink",
            "#1fb4a0",
            "`⌵Ø10 X 90°`, `Ø12 x 90°`, `82° CSK TO Ø.42`, `Senkung DIN 74-A4`, `Fraisure`, `Svasatura`",
            "`diameter`, `unit` (of the diameter), `angle`, `standard` (DIN 74, ISO 15065)",
        ),
        CalloutType(
            "spotface",
            "#33a02c",
            "`SF Ø20`, `⌴SF Ø20 ↧1`, `SPOTFACE`, `S.F.`, `Plansenkung`",
            "`diameter`, `unit`",
        ),
        CalloutType(
            "tolerance",
            "#e31a1c",
            "any size with deviations: `Ø3.30 +0.20 -0.10`, `90°±1°`, `45°±0°30'` (in degrees: 0.5), `.500 +.001/-.000`, "
            "`Ø3,99 0 -0,02`, `Ø20 (19.98-20.02)`, `12 ±IT14/2`, `12 -IT12`, `A ±0.2`, `(NO OF POS x 2.54) +0.1 -0.2`",
            "`nominal`, `upper_deviation`, `lower_deviation`, `min`, `max`, `diameter` or `radius`; "
            "of a grade `grade` and `deviations_from`; `of`: the letter by which a table gives its size, or the sum that it is",
        ),
        CalloutType(
            "fit",
            "#ff7f00",
            "`Ø10 H7`, `30h7`, `Ø6 H7/k6`, `150 h11 -0,22`",
            "`class`, `hole_class`, `shaft_class`, `grade`, deviations (of two classes `hole_…` and `shaft_…`), `deviations_from`; "
            "`disagrees_with` and `standard_…_deviation` where print and ISO 286 differ",
        ),
        CalloutType(
            "radius",
            "#6a3d9a",
            "`R10`, `SR5`, `SPHERICAL R5`, `R5 SPHERICAL`, `CR3`, `R0,16 max.`, `5 RAD`, `FULL R`, `Smooth fillet (0.35mm)`, "
            "`4x Fillet R2`",
            "`radius`, `max`, `min`, `full`",
        ),
        CalloutType(
            "chamfer",
            "#a6761d",
            "`1x45°`, `45° x 1`, `C0.5`, `C1x45°`, `CHAMFER 0,2`, `Fase 1x45°`, `0,3x45`, at the part `1 x 45` "
            "(lost degree sign: confidence 0.7)",
            "`leg`, `angle`, `second_leg`",
        ),
        CalloutType(
            "surface_finish",
            "#66a61e",
            "`Ra 12,5`, `3.2 Ra max`, `Rz max. 40`, `√ 3.2`, `√ N7`, `U Ra 3.2 L Ra 1.6`, `63 RMS`, `▽▽ 3.2`",
            "`parameter`, `value`, `min`, `max`, `unit`, `grade`, `limit`, `values` (several), `process`, `symbol`",
        ),
        CalloutType(
            "reference_dimension",
            "#888888",
            "`(12)`, `(24 x Ø 3.4)`, `12 REF`, `2*` where a note says that `*` is a reference",
            "`nominal`, `feature` (what the brackets hold) and its members",
        ),
        CalloutType(
            "limit",
            "#b15928",
            "`10.2` over `10.0`, `10.0 - 10.2`, `10 bis 12`, `0.70 max.`, `1.4 (MAX)`, `Ø6 MIN`, `MAX DIMENSION OF OPENING 95`, "
            "`\"C\" MAX`",
            "`min`, `max`, `of`; of a size that a table gives by its letter, `limit`: which of both",
        ),
        CalloutType(
            "gdt",
            "#d01c8b",
            "frames by their cells, also in notes, or a text that begins with the sign: `⌖ Ø0.2Ⓜ A BⓂ`, `// 0.2 A`, `⌓ Ø1 CZ`, "
            "`⌯ T0,12 Е` (GOST 2.308)",
            "`characteristic`, `zone`, `tolerance`, `tolerance_to` (of a zone of varying width), `expressed_as` (GOST: `diameter`, "
            "`radius`), `modifiers`, `maximum`, `offset`, `projected_zone`, `per_length`, `between`, `datums` (`datum`, `modifiers`), "
            "`segments`, `composite`; `unread`: what else stands in the frame",
            in_spec=False,
        ),
        CalloutType(
            "datum",
            "#d01c8b",
            "the letter of a datum feature sign: in a box with its triangle, or with a line alone where a frame of the sheet names "
            "it; one alphabet for all of a sheet",
            "`datum`",
            in_spec=False,
        ),
        CalloutType(
            "basic",
            "#4d4d4d",
            "a size in a box of its own, whose four sides end at its corners; `2.5 BSC`, `BASIC`, `基準`; `A BSC`, of a table",
            "`nominal`; of a size that a table gives, `of`: its letter",
            in_spec=False,
        ),
    ]
)  # fmt: skip

CALLOUT_NAMES: Final = tuple(each.name for each in CALLOUT_TYPES)
SPEC_CALLOUT_NAMES: Final = tuple(each.name for each in CALLOUT_TYPES if each.in_spec)
"""The twelve that the spec names, in its order."""
