"""What a solid offers to the callouts of a drawing: its features and round faces as sizes in millimetres.

A part is one definition of the model: its solids are its instances, whose features and faces are all alike.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import acos, degrees, pi, radians, tan
from typing import Final

from spatial.contract.extraction import Edge, Face, Solid, Structure
from spatial.contract.features import Feature, HoleStep
from spatial.reasoning.link.treatments import Widening, widenings

BLENDS: Final = ("cylinder", "torus", "sphere")
"""Faces that have a radius of a callout."""

LEVELS: Final = 300
"""Parallel planes up to which their distances are taken."""

FLATS: Final = 3
"""Directions in which parallel planes have one distance, from which it is a size across flats."""

DIRECTIONS: Final = 100
"""Of planes, more of which are not compared with each other."""

SAME_DIAMETER: Final = 0.01
SAME_PITCH: Final = 0.01
"""Parts of diameter and pitch within which a modelled thread is the one that is asked."""

UNDER: Final = 0.25
"""Pitches by which a modelled diameter may be off the nominal one: the tolerance of 6g (ISO 965-1), the sharp root of a bore (ISO 68-1)."""

SINK: Final = 1.35
"""Diameter of a conical entry, as a part of where it ends, from which it takes a screw head and is no chamfer (docs/features.md)."""

FREEFORM: Final = frozenset({"bspline", "bezier", "other", "offset", "extrusion", "revolution"})
"""Types of faces that may have a radius that nothing tells."""


@dataclass(frozen=True)
class Cut:
    """A thread that the model has, modelled or named; millimetres.

    diameter: the nominal one, which a modelled major diameter meets within its tolerance. name: as its designation, or by its sizes.
    """

    name: str
    diameter: float
    pitch: float | None

    def is_size(self, diameter: float) -> bool:
        """Whether a nominal diameter is its own."""
        return abs(self.diameter - diameter) <= max(SAME_DIAMETER * diameter, UNDER * (self.pitch or 0.0))

    def meets(self, diameter: float, pitch: float | None) -> bool:
        """Whether it is a thread of this nominal diameter and pitch."""
        is_pitch = pitch is None or self.pitch is None or abs(self.pitch - pitch) <= SAME_PITCH * pitch
        return self.is_size(diameter) and is_pitch


@dataclass(frozen=True)
class Shank:
    """A threaded shaft; millimetres."""

    feature: str
    faces: tuple[str, ...]
    thread: Cut


@dataclass(frozen=True)
class Hole:
    """A hole; millimetres.

    length: from one end to the other; None where something has cut its wall. wall: along its own diameter.
    """

    feature: str
    faces: tuple[str, ...]
    diameter: float
    through: bool
    depth: float | None
    length: float | None
    wall: float | None
    axis: tuple[float, ...]
    position: tuple[float, ...]
    widenings: tuple[Widening, ...]
    walls: int
    """Pieces of wall of its diameter that do not meet: a bore through two lugs has two."""
    point: float = 0.0
    """Length of the drill's point below its depth."""
    count: int = 1
    """Instances of its part."""
    is_interrupted: bool = False
    """Whether its wall is nowhere a whole circle, as in the corner of a cut-out."""
    thread: Cut | None = None
    """Where the model says so; a bare bore may be that of a thread all the same."""

    @property
    def line(self) -> tuple[float, ...]:
        """What holes on one axis have in common."""
        upright = (
            self.axis
            if next(each for each in self.axis if abs(each) > 1e-6) > 0.0
            else tuple(-each for each in self.axis)
        )
        along = sum(a * b for a, b in zip(self.position, upright, strict=True))
        foot = (point - along * unit for point, unit in zip(self.position, upright, strict=True))
        return tuple(round(each, 4) + 0.0 for each in (*upright, *foot))


@dataclass(frozen=True)
class Measure:
    """One size that the part has; millimetres.

    word: what it is, for sentences. side: of a diameter, whether material is outside of it (inner) or inside.
    """

    value: float
    word: str
    features: tuple[str, ...] = ()
    faces: tuple[str, ...] = ()
    side: str | None = None


@dataclass(frozen=True)
class Bevel:
    """A chamfer: what it takes off both faces in millimetres, and its angle to the first."""

    legs: tuple[float, float]
    angle: float
    features: tuple[str, ...]
    faces: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """One definition. extents: of its box, where it stands along the axes; empty where that tells no size of the part."""

    solids: tuple[str, ...]
    name: str
    numbers: tuple[str, ...]
    volume: float
    holes: tuple[Hole, ...]
    rounds: tuple[Measure, ...]
    radii: tuple[Measure, ...]
    bevels: tuple[Bevel, ...]
    lengths: tuple[Measure, ...]
    slots: tuple[Feature, ...]
    shanks: tuple[Shank, ...]
    extents: tuple[float, ...]
    gaps: tuple[float, ...]
    """Distances of parallel planes."""
    flats: tuple[float, ...]
    """Those that are in several directions, as across the flats of a hexagon or the grounds of teeth."""
    line_lengths: frozenset[float]
    slants: frozenset[float]
    """Angles in degrees at which cones and planes may be chamfers; empty where edges are listed, which tell whether they are."""
    has_freeform: bool
    is_bent: bool
    thickness: float
    """Of a sheet; 0 of any other part."""
    factor: float
    """Millimetres per unit of the model."""


def parts_of(structure: Structure, factor: float) -> list[Part]:
    """Every definition with solids, in the order of its first. factor: millimetres per unit of the document."""
    groups: dict[str, list[Solid]] = defaultdict(list)
    for solid in structure.solids or ():
        if solid.duplicate_of is None:
            groups[solid.instance_of or solid.id].append(solid)
    features: dict[str, list[Feature]] = defaultdict(list)
    for feature in structure.features or ():
        for solid_id in feature.solids:
            features[solid_id].append(feature)
    edges: dict[str, list[Edge]] = defaultdict(list)
    for edge in structure.edges or ():
        edges[edge.body].append(edge)
    named = {part.id: tuple(str(text) for text in (part.number, part.name) if text) for part in structure.parts or ()}
    return [_Reader(solids, factor, features, edges, named).part() for solids in groups.values()]


class _Reader:
    """Reads one definition. features, edges: by the id of a solid; edges are listed for the first of the solids that are alike."""

    def __init__(
        self,
        solids: Sequence[Solid],
        factor: float,
        features: Mapping[str, Sequence[Feature]],
        edges: Mapping[str, Sequence[Edge]],
        named: Mapping[str, tuple[str, ...]],
    ) -> None:
        self._solids = solids
        self._factor = factor
        first = solids[0]
        self._features = features.get(first.id, ())
        self._faces: dict[str, Face] = {face.id: face for face in first.faces}
        self._edges = next((edges[each.id] for each in solids if each.id in edges), ())
        self._numbers = named.get(first.part or "", ())
        self._of_face: dict[str, list[str]] = defaultdict(list)
        for feature in self._features:
            for face in feature.faces:
                self._of_face[face].append(feature.id)

    def part(self) -> Part:
        holes = tuple(self._hole(each) for each in self._features if each.type == "hole" and each.diameter)
        walls = {face for each in holes for face in each.faces}
        gaps = self._gaps()
        return Part(
            solids=tuple(each.id for each in self._solids),
            name=self._solids[0].name or "",
            numbers=self._numbers,
            volume=(self._solids[0].volume or 0.0) * self._factor**3,
            holes=holes,
            rounds=tuple(self._rounds()),
            radii=tuple(self._radii(walls)),
            bevels=tuple(self._bevels()),
            lengths=tuple(self._lengths()),
            slots=tuple(each for each in self._features if each.type == "slot"),
            shanks=tuple(
                Shank(each.id, tuple(each.faces), thread)
                for each in self._features
                if each.type == "thread" and (thread := _cut(each, self._factor)) is not None
            ),
            extents=tuple(self._extents()),
            gaps=tuple(sorted(gaps)),
            flats=tuple(sorted(gap for gap, directions in gaps.items() if directions >= FLATS)),
            line_lengths=frozenset(
                round(edge.length * self._factor, 4)
                for edge in self._edges
                if edge.length and self._is_between_planes(edge)
            ),
            slants=frozenset() if self._edges else frozenset(self._slants()),
            has_freeform=any(face.type in FREEFORM for face in self._faces.values()),
            is_bent=any(each.type == "sheet_metal" and each.bends for each in self._features),
            thickness=max((each.thickness or 0.0 for each in self._features if each.type == "sheet_metal"), default=0.0)
            * self._factor,
            factor=self._factor,
        )

    def _is_between_planes(self, edge: Edge) -> bool:
        return edge.type == "line" and all(
            self._faces[name].type == "plane" for name in edge.faces if name in self._faces
        )

    def _hole(self, feature: Feature) -> Hole:
        scale = self._factor
        diameter = (feature.diameter or 0.0) * scale
        walls = self._walls(feature)
        found = widenings(feature, scale)
        return Hole(
            feature=feature.id,
            faces=tuple(feature.faces),
            diameter=diameter,
            through=bool(feature.through),
            depth=None if feature.depth is None else feature.depth * scale,
            length=self._length(feature, walls),
            wall=next(
                (
                    (step.end - step.begin) * scale
                    for step in feature.steps or ()
                    if abs(step.diameter * scale - diameter) < 1e-6
                ),
                None,
            ),
            axis=tuple(feature.axis or (0.0, 0.0, 1.0)),
            position=tuple(feature.position or (0.0, 0.0, 0.0)),
            widenings=found,
            walls=len(walls) if feature.interrupted else feature.walls or 1,
            point=_point(feature, diameter),
            count=len(feature.solids),
            is_interrupted=bool(feature.interrupted),
            thread=_cut(feature, scale),
        )

    def _length(self, feature: Feature, walls: Sequence[str]) -> float | None:
        """From one end of a hole to the other: by its steps, or by the area of the one wall that it has."""
        steps = [each for each in feature.steps or () if isinstance(each, HoleStep)]
        if steps:
            return (steps[-1].end - steps[0].begin) * self._factor
        if feature.interrupted or feature.walls or not walls or not feature.diameter:
            return None
        return sum(self._faces[face].area or 0.0 for face in walls) / (pi * feature.diameter) * self._factor

    def _walls(self, feature: Feature) -> list[str]:
        """The cylinders of a hole's own diameter."""
        radius = 0.5 * (feature.diameter or 0.0)
        return [
            face
            for face in feature.faces
            if face in self._faces
            and self._faces[face].type == "cylinder"
            and abs((self._faces[face].radius or 0.0) - radius) <= 1e-6 * radius
        ]

    def _rounds(self) -> Iterator[Measure]:
        """Every diameter: of features, of circles of centres, and of round faces that are no feature's."""
        scale = self._factor
        for feature in self._features:
            for value, word, side in _diameters(feature):
                yield Measure(value * scale, word, (feature.id,), tuple(feature.faces), side)
        for name, face in self._faces.items():
            if face.radius and face.type in ("cylinder", "sphere"):
                yield Measure(2.0 * face.radius * scale, face.type, tuple(self._of_face[name]), (name,), _side(face))
        for radius, faces in self._circles():
            owners = {each for face in faces for each in self._of_face.get(face, ())}
            yield Measure(2.0 * radius * scale, "circle", tuple(sorted(owners)), faces)

    def _radii(self, walls: set[str]) -> Iterator[Measure]:
        """Every radius that is no hole's."""
        scale = self._factor
        for feature in self._features:
            for value in (feature.radius, feature.radius_max):
                if value:
                    yield Measure(value * scale, feature.type, (feature.id,), tuple(feature.faces))
            for bend in feature.bends or ():
                for value in (bend.inner_radius, bend.inner_radius + (feature.thickness or 0.0)):
                    yield Measure(value * scale, "bend", (feature.id,), tuple(bend.faces))
        for name, face in self._faces.items():
            radius = face.minor_radius if face.type == "torus" else face.radius
            if radius and face.type in BLENDS and name not in walls:
                yield Measure(radius * scale, str(face.type), tuple(self._of_face[name]), (name,), _side(face))
        for radius, faces in self._circles():
            if not walls.intersection(faces):
                yield Measure(radius * scale, "arc", (), faces)

    def _circles(self) -> Iterator[tuple[float, tuple[str, ...]]]:
        """Radii of round edges in the model's units, and the faces that they bound; without edges, those that the faces tell."""
        for edge in self._edges:
            if edge.type == "circle" and edge.radius:
                yield edge.radius, tuple(edge.faces)
        for name, face in () if self._edges else self._faces.items():
            if face.type == "cylinder" and face.radius:
                yield face.radius, (name,)
            elif face.type == "torus" and face.major_radius and face.minor_radius:
                for radius in (
                    face.major_radius - face.minor_radius,
                    face.major_radius,
                    face.major_radius + face.minor_radius,
                ):
                    if radius > 0.0:
                        yield radius, (name,)

    def _bevels(self) -> Iterator[Bevel]:
        scale = self._factor
        for feature in self._features:
            if feature.type == "chamfer" and feature.legs and len(feature.legs) == 2 and feature.angle is not None:
                first, second = (leg * scale for leg in feature.legs)
                yield Bevel((first, second), feature.angle, (feature.id,), tuple(feature.faces))
            for each in widenings(feature, scale) if feature.type == "hole" else ():
                if (
                    each.angle is not None
                    and each.depth is not None
                    and each.inner
                    and each.diameter < SINK * each.inner
                ):
                    leg = 0.5 * (each.diameter - each.inner)
                    yield Bevel((leg, each.depth), 0.5 * each.angle, (feature.id,), tuple(feature.faces))
        yield from self._cones()

    def _cones(self) -> Iterator[Bevel]:
        """Cones between two circles, whatever feature they belong to."""
        scale = self._factor
        radii: dict[str, set[float]] = defaultdict(set)
        for edge in self._edges:
            for end in edge.faces:
                if edge.type == "circle" and edge.radius:
                    radii[end].add(edge.radius)
        for name, face in self._faces.items():
            if face.type == "cone" and face.half_angle and len(radii[name]) == 2:
                if face.curvature == "concave" and max(radii[name]) >= SINK * min(radii[name]):
                    continue
                leg = (max(radii[name]) - min(radii[name])) * scale
                yield Bevel(
                    (leg, leg / tan(radians(face.half_angle))), face.half_angle, tuple(self._of_face[name]), (name,)
                )

    def _slants(self) -> Iterator[float]:
        """Of faces that no hole and no chamfer has: half angles of cones, and angles between planes; whole degrees."""
        owned = {face for each in self._features if each.type in ("hole", "chamfer") for face in each.faces}
        normals = set()
        for name, face in self._faces.items():
            if name in owned:
                continue
            if face.type == "cone" and face.half_angle:
                yield round(face.half_angle)
            elif face.type == "plane" and face.normal is not None:
                normals.add(tuple(round(each, 3) for each in face.normal))
        for first, second in combinations(sorted(normals)[:DIRECTIONS], 2):
            cosine = abs(sum(a * b for a, b in zip(first, second, strict=True)))
            if 0.01 < cosine < 0.99:
                yield round(degrees(acos(cosine)))

    def _lengths(self) -> Iterator[Measure]:
        """Lengths that features have."""
        scale = self._factor
        for feature in self._features:
            names = {"slot": ("width", "length", "depth"), "pocket": ("width", "length", "depth"), "boss": ("height", "width", "length"),
                     "rib": ("thickness", "height", "length"), "sheet_metal": ("thickness",), "turned": ("length",),
                     "hole": ("depth",)}.get(feature.type, ())  # fmt: skip
            for name in names:
                value = getattr(feature, name)
                if value:
                    yield Measure(
                        value * scale,
                        f"{name} of the {feature.type.replace('_', ' ')}",
                        (feature.id,),
                        tuple(feature.faces),
                    )
            if feature.type in ("slot", "pocket") and feature.length and feature.width and feature.radius:
                between = (feature.length - feature.width) * scale
                if between > 0.0:
                    yield Measure(
                        between, f"distance of the centres of the {feature.type}", (feature.id,), tuple(feature.faces)
                    )
            if feature.type == "turned":
                for step in feature.steps or ():
                    yield Measure(
                        (step.end - step.begin) * scale, "length of the step", (feature.id,), tuple(feature.faces)
                    )

    def _extents(self) -> Iterator[float]:
        """The sides of the box, where most of the surface stands along the axes."""
        box = self._solids[0].bbox
        matrix = self._solids[0].transform
        if box is None or not self._is_upright(matrix):
            return
        yield from sorted((high - low) * self._factor for low, high in zip(box.min, box.max, strict=True))

    def _gaps(self) -> Counter[float]:
        """Distances of parallel planes, and in how many directions each is."""
        levels: dict[tuple[float, ...], set[float]] = defaultdict(set)
        for face in self._faces.values():
            if face.type == "plane" and face.normal is not None and face.origin is not None:
                lead = next((each for each in face.normal if abs(each) > 1e-6), 1.0)
                normal = [each if lead > 0.0 else -each for each in face.normal]
                level = sum(a * b for a, b in zip(normal, face.origin, strict=True))
                levels[tuple(round(each, 5) + 0.0 for each in normal)].add(round(level * self._factor, 5))
        found: Counter[float] = Counter()
        for each in levels.values():
            if len(each) <= LEVELS:
                found.update({round(high - low, 4) for low, high in combinations(sorted(each), 2)})
        return found

    def _is_upright(self, matrix: Sequence[float] | None) -> bool:
        if matrix is not None:
            turn = [abs(each) for row in range(3) for each in matrix[4 * row : 4 * row + 3]]
            if any(min(each, abs(1.0 - each)) > 1e-6 for each in turn):
                return False
        upright = whole = 0.0
        for face in self._faces.values():
            direction = face.normal if face.type == "plane" else face.axis
            if direction is None or face.type not in ("plane", "cylinder"):
                continue
            whole += face.area or 0.0
            if max(abs(each) for each in direction) > 1.0 - 1e-6:
                upright += face.area or 0.0
        return whole > 0.0 and upright > 0.5 * whole


def _side(face: Face) -> str | None:
    """Of a round face, on which side of it the material is."""
    return {"concave": "inner", "convex": "outer"}.get(face.curvature or "")


def _diameters(feature: Feature) -> Iterator[tuple[float, str, str]]:
    """The diameters of a feature in the model's units, what each is, and on which side of it the material is."""
    if feature.type == "pattern" and feature.pattern == "circle" and feature.diameter:
        yield feature.diameter, "circle of centres", "centres"
    if feature.type == "boss" and feature.diameter:
        yield feature.diameter, "boss", "outer"
    side = "outer" if feature.type == "turned" else "inner"
    for step in feature.steps or ():
        yield step.diameter, "step", side
        if isinstance(step, HoleStep) and step.end_diameter is not None:
            yield step.end_diameter, "step", side
    for treatment in (feature.counterbore, feature.countersink, feature.spotface, feature.chamfer):
        if treatment is not None:
            yield treatment.diameter, "entry", "inner"


def _point(feature: Feature, diameter: float) -> float:
    """In the unit of the diameter."""
    angle = feature.bottom.angle if feature.bottom else None
    return diameter / 2.0 / tan(radians(angle / 2.0)) if angle else 0.0


def _cut(feature: Feature, factor: float) -> Cut | None:
    thread = feature.thread
    if thread is None or thread.diameter is None:
        return None
    diameter, pitch = thread.diameter * factor, None if thread.pitch is None else thread.pitch * factor
    sizes = f"Ø{diameter:.4g}" + (f"x{pitch:.4g}" if pitch else "")
    return Cut(thread.designation or sizes, diameter, pitch)
