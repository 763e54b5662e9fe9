"""Product and manufacturing information: dimensions, tolerances, datums and notes that a designer attached to a model.

Glossary
  semantic      written as values that a program can use: a size, a tolerance, the letters of its datums.
  presentation  drawn as lines or triangles for a person to read; it may show a semantic item, or stand alone.
  feature       the faces that an item is about, one or several.
  segment       one row of a feature control frame; a composite frame has several.

Sources: ISO 10303-47 (shape tolerances), ISO 10303-242, ISO 1101, ISO 5459, ASME Y14.5-2018.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Kind = Literal["dimension", "tolerance", "datum", "datum_target", "surface_texture", "note", "other"]
"""What an annotation is."""


@dataclass(frozen=True)
class Measure:
    """A number with the unit that is written beside it."""

    value: float
    unit: str
    """millimeter, inch, degree, radian, …"""
    factor: float
    """Millimetres or degrees per unit."""
    decimals: int | None = None
    """How many decimals it is to be shown with, where the file says so."""
    is_angle: bool = False

    @property
    def base(self) -> float:
        """In millimetres or degrees."""
        return self.value * self.factor


@dataclass(frozen=True)
class FaceReference:
    """Faces of a body: the document's ids."""

    bodies: tuple[str, ...]
    """All instances of the definition that the faces belong to."""
    faces: tuple[str, ...]


@dataclass(frozen=True)
class NamedFaces:
    """Faces to which the writing program gave a name."""

    name: str
    faces: tuple[FaceReference, ...]


@dataclass(frozen=True)
class Feature:
    """What an item is about."""

    faces: tuple[FaceReference, ...] = ()
    others: dict[str, int] = field(default_factory=dict)
    """How many elements it has that are no listed face, by what the file calls them: edge_curve, cartesian_point, …"""
    whole_part: bool = False
    members: int | None = None
    """How many features of a pattern it stands for."""


@dataclass(frozen=True)
class Fact:
    """What every item of a file has."""

    number: int
    """Its instance in the file."""
    name: str | None
    """The label that the program gave it."""
    feature: Feature


@dataclass(frozen=True)
class Fit:
    """A tolerance class: ISO 286-1."""

    tolerance_class: str | None
    """H7; None where the file has no letter or no grade."""
    written: tuple[str, str, str, str]
    """form_variance, zone_variance, grade, source, as written."""


@dataclass(frozen=True)
class Dimension(Fact):
    """A size of a feature, or a distance or an angle between two."""

    type: str
    """diameter, radius, linear, angular, curve_length, …"""
    is_size: bool
    """Of one feature; otherwise between two."""
    nominal: Measure | None = None
    upper_limit: Measure | None = None
    lower_limit: Measure | None = None
    upper_deviation: Measure | None = None
    lower_deviation: Measure | None = None
    fit: Fit | None = None
    qualifiers: tuple[str, ...] = ()
    """maximum, minimum, average."""
    modifiers: tuple[str, ...] = ()
    """theoretical, auxiliary, statistical, controlled radius, …: words of the recommended practice."""
    angle_selection: str | None = None
    """equal, small or large: which of the angles between two lines."""
    other: Feature | None = None
    """Of a distance: the feature that it leads to."""
    path: Feature | None = None
    """Of a curved distance: what it runs along."""


@dataclass(frozen=True)
class DatumReference:
    """One compartment of a feature control frame."""

    letters: tuple[str, ...]
    """Several for a common datum: A-B."""
    modifiers: tuple[str, ...] = ()
    """Of the compartment."""
    letter_modifiers: tuple[tuple[str, ...], ...] = ()
    """Of each letter of a common datum."""
    values: tuple[tuple[str, Measure], ...] = ()
    """Modifiers with a length: projected, distance, …"""


@dataclass(frozen=True)
class Segment:
    """One row of a feature control frame."""

    number: int
    characteristic: str
    magnitude: Measure | None = None
    zone: str | None = None
    """cylindrical, spherical, …; None where the file names none."""
    modifiers: tuple[str, ...] = ()
    datums: tuple[DatumReference, ...] = ()
    unit_size: Measure | None = None
    second_unit_size: Measure | None = None
    area_type: str | None = None
    """circular, rectangular or square, of a zone per unit area."""
    displacement: Measure | None = None
    """Of an unequally disposed zone: how much of it lies outside."""
    projected_length: Measure | None = None
    maximum: Measure | None = None
    """Greatest value that a material condition may lead to."""
    runout_angle: Measure | None = None


@dataclass(frozen=True)
class Tolerance(Fact):
    """A feature control frame."""

    segments: tuple[Segment, ...]
    all_around: bool = False
    between: bool = False
    of_dimension: int | None = None
    """Instance of the dimension that it is written at."""


@dataclass(frozen=True)
class Datum(Fact):
    """A feature that establishes a datum."""

    letter: str | None


@dataclass(frozen=True)
class DatumTarget(Fact):
    """A point, line or area that establishes a datum together with others."""

    letters: tuple[str, ...]
    target: str
    """Its number: 1 of A1."""
    shape: str | None
    """point, line, rectangle, circle, circular curve, area."""
    position: tuple[float, float, float] | None = None
    """Millimetres, in the part's own coordinates."""
    sizes: tuple[tuple[str, Measure], ...] = ()


@dataclass(frozen=True)
class SurfaceTexture(Fact):
    """A requirement for the texture of a surface: ISO 1302, ISO 21920."""

    values: tuple[tuple[str, Measure], ...]
    """Parameter (Ra, Rz, …) and its value; the first is the one meant."""
    method: str | None = None


@dataclass(frozen=True)
class Note(Fact):
    """Text."""

    text: str


@dataclass(frozen=True)
class Presentation:
    """An annotation as it is drawn."""

    number: int
    name: str | None
    kind: Kind
    shows: tuple[int, ...]
    """Instances of the semantic items that it shows; none where it stands alone."""
    feature: Feature = Feature()


@dataclass
class Pmi:
    """All of a file."""

    dimensions: list[Dimension] = field(default_factory=list)
    tolerances: list[Tolerance] = field(default_factory=list)
    datums: list[Datum] = field(default_factory=list)
    targets: list[DatumTarget] = field(default_factory=list)
    textures: list[SurfaceTexture] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    presentations: list[Presentation] = field(default_factory=list)
    texts: dict[int, list[str]] = field(default_factory=dict)
    """What the file says that an item reads as, by its instance (recommended practice: equivalent unicode string)."""
    warnings: list[str] = field(default_factory=list)

    def __bool__(self) -> bool:
        """Whether there is any."""
        parts = (self.dimensions, self.tolerances, self.datums, self.targets, self.textures, self.notes)
        return any(parts) or bool(self.presentations)
