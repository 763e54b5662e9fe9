"""Features of a solid in the words of a callout: holes, fillets, chamfers, pockets, … (an addition to the spec).

Lengths are in the document's units, angles in degrees; positions and directions are those of the part's definition, as it was
modelled: the `transform` of a solid places them.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from spatial.contract.model import ItemList, OpenModel, Vector


class HoleTreatment(OpenModel):
    """What widens a hole at its entry: a counterbore, countersink, spotface or chamfer."""

    diameter: float
    """At the surface."""
    depth: float | None = None
    """From the surface."""
    angle: float | None = None
    """Of a countersink or chamfer: the whole angle of the cone."""


class HoleBottom(OpenModel):
    """How a blind hole ends."""

    shape: str
    """flat, conical, spherical or open (into a cavity)."""
    angle: float | None = None
    """Of a cone: its whole angle."""


class HoleStep(OpenModel):
    """One cylinder or cone of a hole, from its entry."""

    shape: str
    """cylinder, cone or torus."""
    diameter: float
    """Where it begins."""
    end_diameter: float | None = None
    """Of a cone: where it ends."""
    begin: float
    """Depth from the entry."""
    end: float


class Undercut(OpenModel):
    """The wider part of a T-slot, below its neck, or of a dovetail, below its mouth."""

    width: float
    """Of the floor."""
    depth: float
    """From the shoulders of a T-slot or the mouth of a dovetail to the floor."""
    angle: float | None = None
    """Of a dovetail: between its flanks and the floor."""


class SlotArc(OpenModel):
    """The middle of a slot along an arc, from the centre of one round end to that of the other."""

    radius: float
    angle: float


class FeatureThread(OpenModel):
    """A thread of a hole or of a shaft; members that are not known are absent."""

    designation: str | None = None
    """As `M8` or `M8x1`, with -LH of a left-hand one: of ISO 261 where diameter, pitch and flanks agree, or as the file names it."""
    diameter: float | None = None
    """The major one: of a modelled thread as modelled, else the nominal one of its name."""
    minor_diameter: float | None = None
    pitch: float | None = None
    """From one ridge to the next along the axis."""
    starts: int | None = None
    """Of a thread with more than one; its lead is the pitch times this."""
    hand: str | None = None
    """right or left."""
    angle: float | None = None
    """Degrees between its flanks, where all lean alike."""
    length: float | None = None
    """How far it reaches along the axis."""
    source: str
    """modelled (helicoidal faces), named (the name of a face) or pmi (a note or dimension at its faces)."""


class Bend(OpenModel):
    """A bend of a sheet."""

    inner_radius: float
    angle: float
    """By which the sheet turns."""
    length: float
    """Along its axis."""
    k_factor: float | None = None
    """How far the neutral fibre is from the inner side, as a part of the thickness, by the rule of `flat_pattern`; absent beyond it."""
    faces: ItemList[str]


class FlatPattern(OpenModel):
    """The blank of a bent sheet: its size and the rule that it is computed by, or the reason why it has none."""

    length: float | None = None
    """The longer side of the rectangle around it, of which one side is along the bends."""
    width: float | None = None
    rule: str | None = None
    """DIN 6935: what the length of the bends is computed by; an assumption, because the model does not say how it is bent."""
    reason: str | None = None
    """Why it has no size, where it has none."""


class TurnedStep(OpenModel):
    """One outer cylinder of a turned part."""

    diameter: float
    begin: float
    """Along the axis, from the part's low end."""
    end: float
    faces: ItemList[str]


class Feature(OpenModel):
    """One feature of a definition; members that its type does not have are absent."""

    id: str
    """"feature-1", "feature-2", …"""
    type: Annotated[
        str,
        Field(
            examples=[
                "hole",
                "thread",
                "fillet",
                "chamfer",
                "slot",
                "pocket",
                "boss",
                "rib",
                "sheet_metal",
                "turned",
                "pattern",
            ]
        ),
    ]
    solids: ItemList[str]
    """Ids of the solids that have it: all instances of its definition."""
    faces: ItemList[str]
    """Ids of its faces, in each of these solids."""
    diameter: float | None = None
    """Of a hole its own, of a threaded one the minor one; of a thread the major one; of a turned part the largest; of a circle its own."""
    inner_diameter: float | None = None
    """Of a groove round an axis: of what stands within it."""
    outer_diameter: float | None = None
    depth: float | None = None
    """Of a blind hole without its conical bottom; of a pocket or slot from its rim to its floor."""
    through: bool | None = None
    thread: FeatureThread | None = None
    """Of a hole that is threaded, and of a feature of type thread, which is that of a shaft."""
    bottom: HoleBottom | None = None
    axis: Vector | None = None
    """Unit direction: of a hole, slot or pocket into the material, of a boss or rib away from it, of a mirror across its plane."""
    position: Vector | None = None
    """Of a hole: where its axis enters; of a slot, pocket, boss or rib: the middle of its mouth or foot; of a pattern: its middle."""
    counterbore: HoleTreatment | None = None
    countersink: HoleTreatment | None = None
    spotface: HoleTreatment | None = None
    chamfer: HoleTreatment | None = None
    steps: ItemList[HoleStep | TurnedStep] | None = None
    """Of a hole with more than one diameter, or of a turned part."""
    interrupted: bool | None = None
    """True of a hole whose wall is nowhere a whole circle, as where a slot cuts it along its length; absent otherwise."""
    walls: int | None = None
    """Of a hole that gaps interrupt along its axis, as through the lugs of a fork: how many walls of its diameter; absent of one."""
    radius: float | None = None
    """Of a fillet, or of the corners of a slot."""
    floor_radius: float | None = None
    """Of a slot with a round floor."""
    undercut: Undercut | None = None
    """Of a T-slot, whose `width` is that of its neck, and of a dovetail, whose `width` is that of its mouth."""
    arc: SlotArc | None = None
    """Of a slot along an arc, whose `length` is that of its middle with both ends."""
    floor_width: float | None = None
    """Of a slot with sloping sides, whose `width` is that of its mouth."""
    radius_max: float | None = None
    """Of a fillet whose radius varies from `radius` to this."""
    side: str | None = None
    """Of a fillet: convex (a rounded edge) or concave (a filled corner)."""
    length: float | None = None
    width: float | None = None
    height: float | None = None
    angle: float | None = None
    """Of a chamfer: between its face and the first leg's face; of a V-groove or a slot with sloping sides: between the two sides."""
    legs: ItemList[float] | None = None
    """Of a chamfer: how much it takes off each of the two faces."""
    thickness: float | None = None
    bends: ItemList[Bend] | None = None
    grooves: ItemList[TurnedStep] | None = None
    flat_pattern: FlatPattern | None = None
    """Of a sheet."""
    flat_area: float | None = None
    """Of a sheet: volume by thickness, the area of its flat pattern on the neutral fibre in the middle."""
    pattern: str | None = None
    """circle, line, grid or mirror."""
    members: ItemList[str] | None = None
    """Ids of the features in a pattern."""
    count: int | None = None
    pitch: float | None = None
    """Between neighbours on a line."""
    step_angle: float | None = None
    """Degrees between neighbours on a circle."""
    pitches: ItemList[float] | None = None
    """Of a grid, along both of its directions."""
    counts: ItemList[int] | None = None
    """Of a grid, how many members there are along each of its directions, in the order of `pitches`."""
    directions: ItemList[Vector] | None = None
    """Of a grid, the two unit directions, in the order of `pitches`."""
