"""What the service answers, as pydantic models; generated from its contract by scripts/client_models.py.

An optional member that the service left out is None. Members that this version of the client does not name are kept: read them as
attributes, or in `model_extra`. `model_dump(by_alias=True, exclude_unset=True)` is the document as the service sent it.
"""

from __future__ import annotations

import sys
from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

if sys.version_info >= (3, 12):
    from typing import TypedDict
else:
    from typing_extensions import TypedDict  # pydantic depends on it, and accepts no other TypedDict before Python 3.12


class Model(BaseModel):
    """Base of all models: unknown members are kept."""

    model_config = ConfigDict(extra="allow", validate_by_name=True, protected_namespaces=())


TargetContract = Literal["structured", "point_cloud_scene", "both"]
TaskType = Literal[
    "fit",
    "stability",
    "placement",
    "embed",
    "describe",
    "classify",
    "compare",
    "understand",
    "reconstruct",
    "predict",
    "act",
    "optimize",
]
Detail = Literal["compact", "standard", "debug"]


class BoundingBox(Model):
    """The smallest axis-aligned box, in the document's units; two numbers per corner in a drawing, three in a model."""

    min: list[float]
    max: list[float]


class Face(Model):
    """One face: its surface, and the parameters of that surface."""

    id: str
    type: str | None = None
    """Surface type; in documents of this service one of plane, cylinder, cone, sphere, torus, bspline, bezier,
    revolution, extrusion, offset, other.
    """
    modelled_as: str | None = None
    """Surface type that the file has, where `type` was recognised in it; absent otherwise."""
    curvature: Literal["convex", "concave"] | str | None = None
    """Of a cylinder, cone, sphere or the tube of a torus: convex as a pin, concave as a hole."""
    recognised: bool | None = None
    """True where the file writes the surface as another type (a cylinder as a B-spline), and `type` is what it is."""
    deviation: float | None = None
    """How far a recognised surface is from the file's at most."""
    area: float | None = None
    """Square units."""
    origin: tuple[float, float, float] | None = None
    """A point of the plane or of the axis; the centre of a sphere or torus."""
    axis: tuple[float, float, float] | None = None
    """Unit direction of the axis of a cylinder, cone, torus or revolution, or the direction of an extrusion."""
    normal: tuple[float, float, float] | None = None
    """Unit normal of a plane, pointing out of the material."""
    radius: float | None = None
    """Radius of a cylinder or sphere; of a cone at its origin."""
    minor_radius: float | None = None
    """Of a torus: radius of its tube."""
    major_radius: float | None = None
    """Of a torus: distance from its centre to the centre line of its tube."""
    half_angle: float | None = None
    """Half angle of a cone, in degrees."""
    color: str | None = None
    """#rrggbb (sRGB), where the face has another colour than its solid."""


class Shell(Model):
    """Faces sewn along their edges."""

    id: str
    is_closed: bool | None = None
    """Whether the shell has no free edge."""
    area: float | None = None
    """Square units."""
    bbox: BoundingBox | None = None
    faces: list[Face] = Field(default_factory=list)


class Solid(Model):
    """One body: position, size and faces."""

    id: str
    """"solid-1", "solid-2", … in the file's order."""
    name: str | None = None
    """The product's name in the file."""
    bbox: BoundingBox | None = None
    """Tight box, computed from the exact geometry."""
    volume: float | None = None
    """Cubic units; absent if the body bounds no closed volume."""
    volume_error: float | None = None
    """What the volume is off by at most, for the geometry that the file has."""
    surface_area: float | None = None
    """Square units."""
    surface_area_error: float | None = None
    """What the area is off by at most."""
    center_of_mass: tuple[float, float, float] | None = None
    """Centre of mass at uniform density."""
    center_of_mass_error: float | None = None
    """How far the centre may be from there at most."""
    inertia: list[float] | None = None
    """Inertia tensor about the centre of mass at a density of 1, along the document's axes: 3 x 3, row by row, units
    to the fifth power.
    """
    principal_moments: tuple[float, float, float] | None = None
    """Of the inertia, ascending."""
    principal_axes: tuple[tuple[float, float, float], tuple[float, float, float], tuple[float, float, float]] | None = (
        None
    )
    """Unit directions of the principal moments; absent where two moments are equal, so that their axes are any."""
    duplicate_of: str | None = None
    """Id of a solid at the same place with the same measures, of which this one is another representation; absent
    otherwise.
    """
    orientation: str | None = None
    """forward, or reversed if the file turns the body inside out."""
    part: str | None = None
    """Id of the part, in `parts`, that this solid is a body of."""
    instance: str | None = None
    """Id of the placement, in `assembly`, that this solid stands in; absent where the file has no assembly."""
    color: str | None = None
    """#rrggbb, sRGB."""
    instance_of: str | None = None
    """Id of the definition that this solid is a placement of."""
    transform: list[float] | None = None
    """Definition to document: 3 x 4 matrix, row by row, translation in the document's units."""
    mirrored: bool | None = None
    """True where the placement is a mirror image of its definition; absent otherwise."""
    representation: Literal["exact", "tessellated"] | str | None = None
    is_closed: bool | None = None
    """Whether all its shells are closed."""
    faces: list[Face] = Field(default_factory=list)
    shells: list[Shell] | None = None
    """Shells: the outer one first, then voids."""


class Curve(Model):
    """One curve of a wireframe, or one that bounds no face."""

    id: str
    type: str | None = None
    """line, circle, ellipse, bspline, …"""
    length: float | None = None
    bbox: BoundingBox | None = None


class Edge(Model):
    """One edge of a body, and the faces that meet along it."""

    id: str
    """"edge-1", "edge-2", … within its body."""
    body: str
    """Id of the solid or shell: the first of those with the same `instance_of`, whose faces and edges are all alike."""
    faces: list[str]
    """Ids of the faces that it bounds: two, or one where it is free or a seam."""
    type: str | None = None
    """line, circle, ellipse, spline or other."""
    length: float | None = None
    radius: float | None = None
    """Of a circle."""
    convexity: Literal["convex", "concave", "smooth", "mixed"] | str | None = None
    """How its two faces meet: convex as at the rim of a box, concave as at the foot of a boss, smooth where they are
    tangent.
    """
    angle: float | None = None
    """Degrees between the outward normals of its faces, in its middle: positive where convex, negative where concave."""
    seam: bool | None = None
    """True where a face closes on itself along it; absent otherwise."""


class FeatureThread(Model):
    """A thread of a hole or of a shaft; members that are not known are absent."""

    designation: str | None = None
    """As `M8` or `M8x1`, with -LH of a left-hand one: of ISO 261 where diameter, pitch and flanks agree, or as the
    file names it.
    """
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


class HoleBottom(Model):
    """How a blind hole ends."""

    shape: str
    """flat, conical, spherical or open (into a cavity)."""
    angle: float | None = None
    """Of a cone: its whole angle."""


class HoleTreatment(Model):
    """What widens a hole at its entry: a counterbore, countersink, spotface or chamfer."""

    diameter: float
    """At the surface."""
    depth: float | None = None
    """From the surface."""
    angle: float | None = None
    """Of a countersink or chamfer: the whole angle of the cone."""


class HoleStep(Model):
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


class TurnedStep(Model):
    """One outer cylinder of a turned part."""

    diameter: float
    begin: float
    """Along the axis, from the part's low end."""
    end: float
    faces: list[str]


class Undercut(Model):
    """The wider part of a T-slot, below its neck, or of a dovetail, below its mouth."""

    width: float
    """Of the floor."""
    depth: float
    """From the shoulders of a T-slot or the mouth of a dovetail to the floor."""
    angle: float | None = None
    """Of a dovetail: between its flanks and the floor."""


class SlotArc(Model):
    """The middle of a slot along an arc, from the centre of one round end to that of the other."""

    radius: float
    angle: float


class Bend(Model):
    """A bend of a sheet."""

    inner_radius: float
    angle: float
    """By which the sheet turns."""
    length: float
    """Along its axis."""
    k_factor: float | None = None
    """How far the neutral fibre is from the inner side, as a part of the thickness, by the rule of `flat_pattern`;
    absent beyond it.
    """
    faces: list[str]


class FlatPattern(Model):
    """The blank of a bent sheet: its size and the rule that it is computed by, or the reason why it has none."""

    length: float | None = None
    """The longer side of the rectangle around it, of which one side is along the bends."""
    width: float | None = None
    rule: str | None = None
    """DIN 6935: what the length of the bends is computed by; an assumption, because the model does not say how it is
    bent.
    """
    reason: str | None = None
    """Why it has no size, where it has none."""


class Feature(Model):
    """One feature of a definition; members that its type does not have are absent."""

    id: str
    """"feature-1", "feature-2", …"""
    type: str
    solids: list[str]
    """Ids of the solids that have it: all instances of its definition."""
    faces: list[str]
    """Ids of its faces, in each of these solids."""
    diameter: float | None = None
    """Of a hole its own, of a threaded one the minor one; of a thread the major one; of a turned part the largest; of
    a circle its own.
    """
    inner_diameter: float | None = None
    """Of a groove round an axis: of what stands within it."""
    outer_diameter: float | None = None
    depth: float | None = None
    """Of a blind hole without its conical bottom; of a pocket or slot from its rim to its floor."""
    through: bool | None = None
    thread: FeatureThread | None = None
    """Of a hole that is threaded, and of a feature of type thread, which is that of a shaft."""
    bottom: HoleBottom | None = None
    axis: tuple[float, float, float] | None = None
    """Unit direction: of a hole, slot or pocket into the material, of a boss or rib away from it, of a mirror across
    its plane.
    """
    position: tuple[float, float, float] | None = None
    """Of a hole: where its axis enters; of a slot, pocket, boss or rib: the middle of its mouth or foot; of a pattern:
    its middle.
    """
    counterbore: HoleTreatment | None = None
    countersink: HoleTreatment | None = None
    spotface: HoleTreatment | None = None
    chamfer: HoleTreatment | None = None
    steps: list[HoleStep | TurnedStep] | None = None
    """Of a hole with more than one diameter, or of a turned part."""
    interrupted: bool | None = None
    """True of a hole whose wall is nowhere a whole circle, as where a slot cuts it along its length; absent otherwise."""
    walls: int | None = None
    """Of a hole that gaps interrupt along its axis, as through the lugs of a fork: how many walls of its diameter;
    absent of one.
    """
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
    """Of a chamfer: between its face and the first leg's face; of a V-groove or a slot with sloping sides: between the
    two sides.
    """
    legs: list[float] | None = None
    """Of a chamfer: how much it takes off each of the two faces."""
    thickness: float | None = None
    bends: list[Bend] | None = None
    grooves: list[TurnedStep] | None = None
    flat_pattern: FlatPattern | None = None
    """Of a sheet."""
    flat_area: float | None = None
    """Of a sheet: volume by thickness, the area of its flat pattern on the neutral fibre in the middle."""
    pattern: str | None = None
    """circle, line, grid or mirror."""
    members: list[str] | None = None
    """Ids of the features in a pattern."""
    count: int | None = None
    pitch: float | None = None
    """Between neighbours on a line."""
    step_angle: float | None = None
    """Degrees between neighbours on a circle."""
    pitches: list[float] | None = None
    """Of a grid, along both of its directions."""
    counts: list[int] | None = None
    """Of a grid, how many members there are along each of its directions, in the order of `pitches`."""
    directions: list[tuple[float, float, float]] | None = None
    """Of a grid, the two unit directions, in the order of `pitches`."""


class Stated(Model):
    """What the program that wrote the file computed (validation properties), and how far our measures are from it."""

    volume: float | None = None
    """Cubic units."""
    surface_area: float | None = None
    """Square units."""
    center_of_mass: tuple[float, float, float] | None = None
    """In the part's own coordinates."""
    volume_deviation: float | None = None
    """(ours - stated) / stated."""
    surface_area_deviation: float | None = None
    """(ours - stated) / stated."""
    center_of_mass_deviation: float | None = None
    """Distance, in the document's units."""


class Part(Model):
    """A product of the file, described once: a part, or an assembly of parts."""

    id: str
    """"product-1", "product-2", …"""
    name: str
    number: str | None = None
    """Identifier of the product in the file, as a rule its part number."""
    description: str | None = None
    color: str | None = None
    """#rrggbb, sRGB."""
    layers: list[str] | None = None
    hidden: bool | None = None
    """True where the file says that it is not shown; absent otherwise."""
    material: str | None = None
    density: float | None = None
    """Kilograms per cubic metre."""
    mass: float | None = None
    """Kilograms: density times volume; of an assembly, the sum where the mass of every part is known."""
    count: int | None = None
    """How often the file places it, in all assemblies together."""
    solids: list[str] | None = None
    """Ids of the solids that are bodies of this part, in every placement."""
    definitions: list[str] | None = None
    """Ids of the definitions of its bodies, each measured once."""
    stated: Stated | None = None


class AssemblyNode(Model):
    """One named placement in the product tree."""

    name: str
    """Of the product that is placed."""
    instance: str | None = None
    """The placement's own name, where it is another one."""
    id: str | None = None
    """"instance-1", "instance-2", … in the order of the tree, a parent before its children."""
    definition: str | None = None
    """Id of the product that is placed, in `parts`."""
    transform: list[float] | None = None
    """Child to parent: 3 x 4 matrix, row by row, translation in the document's units."""
    matrix: list[float] | None = None
    """The same as a 4 x 4 matrix, row by row, whose last row is 0, 0, 0, 1."""
    mirrored: bool | None = None
    """True where the placement is a mirror image of its product; absent otherwise."""
    hidden: bool | None = None
    """True where the file says that the placement is not shown; absent otherwise."""
    solids: list[str] | None = None
    """Ids of the solids directly in this node."""
    children: list[AssemblyNode] | None = None


class Sheet(Model):
    """One page of a PDF, or one space of a DXF: model space or a layout."""

    page: int
    """Number of the sheet, from 1; `page` of entities, annotations, dimensions and callouts refers to it."""
    name: str | None = None
    kind: Literal["page", "model", "layout"] | str | None = None
    bbox: list[float] | None = None
    """Minimum x, minimum y, maximum x, maximum y of the paper; for a space without paper, of the drawn content. y
    points up.
    """
    drawn_bbox: list[float] | None = None
    """The same of what is drawn and seen, without line weights; absent where nothing is."""
    unit: str | None = None
    """Unit of its coordinates."""
    text_layer: Literal["vector", "outlined", "raster", "none"] | str | None = None
    """Form of its lettering: text, outlines or strokes, pixels, or no lettering."""


class Layer(Model):
    """A layer of a drawing."""

    name: str | None = None


class Entity(Model):
    """One drawn entity with its geometry."""

    id: str | None = None
    type: str | None = None
    layer: str | None = None


class Dimension(Model):
    """A dimension: its measured value and its printed text."""

    id: str | None = None
    type: str | None = None
    text: str | None = None
    """The text as printed on the sheet."""
    value: float | None = None
    """The measured length in the document's units, or an angle in degrees."""
    position: list[float] | None = None


class Annotation(Model):
    """Text on the sheet that is not a dimension."""

    id: str | None = None
    type: str | None = None
    """text, mtext, attrib, attdef, tolerance, leader, table_cell."""
    text: str | None = None
    position: list[float] | None = None
    """Start of its first baseline."""
    page: int | None = None
    angle: float | None = None
    height: float | None = None
    """Height of a capital letter, in the document's units."""


class Rectangle(Model):
    """A rectangle in absolute page coordinates, with the offsets of containers applied."""

    x: float
    y: float
    width: float
    height: float


class DiagramNode(Model):
    """One shape of a page."""

    id: str
    label: str = ""
    """Plain text; HTML is stripped."""
    shape: str | None = None
    bbox: Rectangle | None = None
    center: list[float] | None = None
    parent: str | None = None
    """Id of the container; null if the node is directly on the page."""
    children: list[str] = Field(default_factory=list)
    is_container: bool = False
    is_text: bool = False
    link: str | None = None
    attributes: dict[str, str] = Field(default_factory=dict)


class DiagramEdge(Model):
    """One connector; an end that is not attached is null."""

    id: str
    source: str | None = None
    target: str | None = None
    directed: bool = False
    bidirectional: bool = False
    label: str = ""
    connector: str | None = None
    dashed: bool = False
    waypoints: list[list[float]] = Field(default_factory=list)


class Relation(Model):
    """subject is `type` object: "a contains b", "a is left of b"."""

    type: Literal["contains", "left_of", "right_of", "above", "below", "overlaps"] | str
    subject: str
    object: str
    via_edge: str | None = None
    """Id of the edge that states the relation."""


class Graph(Model):
    """Summary of the graph that the edges form."""

    node_count: int
    edge_count: int
    components: int
    """Number of connected components, ignoring direction."""
    roots: list[str]
    """Ids of nodes with outgoing edges only."""
    sinks: list[str]
    """Ids of nodes with incoming edges only."""
    isolated: list[str]
    """Ids of nodes without an edge."""
    has_cycle: bool


class DiagramPage(Model):
    """One page of a diagram."""

    id: str
    name: str
    nodes: list[DiagramNode]
    edges: list[DiagramEdge]
    relations: list[Relation] = Field(default_factory=list)
    graph: Graph | None = None


class Callout(Model):
    """One instruction parsed from dimension or note text."""

    id: str
    type: (
        Literal[
            "thread",
            "hole",
            "counterbore",
            "countersink",
            "spotface",
            "tolerance",
            "fit",
            "radius",
            "chamfer",
            "surface_finish",
            "reference_dimension",
            "limit",
            "gdt",
            "datum",
            "basic",
        ]
        | str
    )
    text: str
    """The text as printed on the sheet."""
    source: str
    """Id of the annotation or dimension that it was read from."""
    quantity: int | None = None
    """How many times it applies: 4 of "4X"."""
    through: bool | None = None
    depth: float | None = None
    """In the document's units."""
    position: list[float] | None = None
    """In the document's units."""
    page: int | None = None
    """Page of its sheet, from 1."""
    sources: list[str] | None = None
    """Ids of all items that it was read from, `source` first."""
    confidence: float | None = None


class FaceReference(Model):
    """Faces of one body, or of all instances of one definition."""

    bodies: list[str]
    """Ids of the solids or shells: all placements of the part that the item belongs to."""
    faces: list[str]
    """Ids of faces, the same in each of them."""


class PmiItem(Model):
    """One dimension, tolerance, datum or note of a model, shaped like a callout of a drawing."""

    id: str
    type: str
    """In documents of this service one of dimension, tolerance, limit, fit, basic, reference_dimension, gdt, datum,
    datum_target, surface_finish, note.
    """
    text: str | None = None
    """As it would be written on a drawing."""
    source: str
    """Id of the dimension or annotation that it is of."""
    faces: list[FaceReference] | None = None
    """What it is about; of a distance, what it leads from."""
    features: list[str] | None = None
    """Ids of the features that its faces belong to; of a pattern those of its members."""
    quantity: int | None = None
    """How many features it applies to, where the file says so."""


class PmiCoverage(Model):
    """How the items of one kind are written."""

    semantic_only: int
    """As values, and not drawn."""
    graphical_only: int
    """Drawn for a person to read, without values: nothing else in the document tells what they say."""
    both: int
    """As values, with an annotation that shows them."""


class TitleBlock(Model):
    """The title block, read from vector text."""

    fields: dict[str, str]
    """Text per field; the known fields are title, drawing_number, part_number, revision, material, finish, scale,
    sheet, size, drawn_by, checked_by, approved_by, date, weight, tolerances, units, project, customer, company,
    cage_code.
    """
    confidence: float
    sources: dict[str, list[str]]
    """Ids of the annotations that a field was read from, per field."""


class Table(Model):
    """A parts list or a revision table."""

    columns: list[str]
    rows: list[dict[str, str]]
    """Each row maps a column to its text."""
    confidence: float
    sources: list[str] | None = None
    """Ids of the annotations that it was read from."""
    meanings: dict[str, list[str]] | None = None
    """What a column holds, whatever its heading calls it: item, quantity, name, part_number, material, weight, remark,
    revision, change,
    description, date, by, …; absent for a column whose heading is not known.
    """


class Note(Model):
    """One numbered note."""

    number: int
    text: str
    sources: list[str] | None = None
    """Ids of the annotations that it was read from."""


class Notes(Model):
    """The general notes of the sheet."""

    items: list[Note]
    confidence: float


class NamedTable(Model):
    """Any other table of the sheet: tolerances, holes, gear data, …"""

    columns: list[str]
    rows: list[dict[str, str]]
    """Each row maps a column to its text."""
    confidence: float
    sources: list[str] | None = None
    """Ids of the annotations that it was read from."""
    meanings: dict[str, list[str]] | None = None
    """What a column holds, whatever its heading calls it: item, quantity, name, part_number, material, weight, remark,
    revision, change,
    description, date, by, …; absent for a column whose heading is not known.
    """
    name: str | None = None
    """Kind of the table."""
    page: int | None = None


class DrawingMetadata(Model):
    """Metadata printed on the sheet; DXF and PDF only, from vector text, never OCR. Absent if the sheet has none."""

    title_block: TitleBlock | None = None
    bom: Table | None = None
    revisions: Table | None = None
    notes: Notes | None = None
    tables: list[NamedTable] | None = None
    """Tables that are neither parts list nor revisions."""


class Structure(Model):
    """Extracted content, by kind of document; members that do not apply are absent."""

    kind: Literal["brep", "drawing2d", "diagram2d"] | str
    solids: list[Solid] | None = None
    """brep."""
    shells: list[Shell] | None = None
    """brep: shells that belong to no solid."""
    free_faces: list[Face] | None = None
    """brep: faces that belong to no shell."""
    curves: list[Curve] | None = None
    """brep: wireframe and curves that bound no face."""
    edges: list[Edge] | None = None
    """brep: the edges of each definition, once."""
    features: list[Feature] | None = None
    """brep: holes, fillets, chamfers, slots, pockets, …"""
    parts: list[Part] | None = None
    """brep: the products of the file, each once."""
    assembly: list[AssemblyNode] | None = None
    """brep: the product tree, from its roots."""
    sheets: list[Sheet] | None = None
    """drawing2d: its pages or spaces."""
    layers: list[Layer] | None = None
    entities: list[Entity] | None = None
    """drawing2d, diagram2d: typed entities with geometry."""
    dimensions: list[Dimension] | None = None
    """drawing2d; of a brep those of its PMI."""
    annotations: list[Annotation] | None = None
    """drawing2d; of a brep the tolerances, datums and notes of its PMI, and annotations that are only drawn."""
    pages: list[DiagramPage] | None = None
    """diagram2d only."""
    callouts: list[Callout] | None = None
    """DXF and PDF only."""
    pmi: list[PmiItem] | None = None
    """brep: what the designer wrote into the model, in the words of callouts; STEP only (an addition to the spec)."""
    coverage: dict[str, PmiCoverage] | None = None
    """brep: how much of the model's PMI is written as values and how much is only drawn, per kind (an addition to the
    spec).
    """
    drawing_metadata: DrawingMetadata | None = None
    """DXF and PDF only; absent when the sheet has none."""


class Point(TypedDict):
    """One point, in the document's units; all three coordinates are finite numbers."""

    x: float
    y: float
    z: float


class PointCloud(Model):
    """Points on the surface of one object."""

    object_id: str
    """Id of the object on which the points lie; in an extracted document the solid's id."""
    kind: Literal["unknown", "box", "surface", "container"] | str = "unknown"
    """Role of the object in a scene."""
    points: list[Point]


class PointCloudScene(Model):
    """All point clouds of a document or of a scene."""

    point_clouds: list[PointCloud]
    scene_id: str | None = None
    """The caller's name of the scene."""


class Statistics(Model):
    """Counts of entities and points, and the overall box."""

    entity_counts: dict[str, int] = Field(default_factory=dict)
    """Number of entities per kind."""
    total_points: int = 0
    """Points in `point_cloud_scene`."""
    bbox: BoundingBox | None = None
    """Box around all geometry; absent if there is none."""


class Usage(Model):
    """Reported on every response, charged only on 2xx."""

    input_tokens: int | None = None
    """For an extraction: ceil(bytes of the file / 4)."""
    output_tokens: int | None = None
    """For an extraction: ceil(bytes of the response body without its `usage` member / 4)."""
    estimated_input_cost_usd: float | None = None
    """US dollars."""
    estimated_output_cost_usd: float | None = None
    """US dollars."""
    estimated_cost_usd: float | None = None
    """US dollars; the sum of both."""


class CadExtraction(Model):
    """The extraction result, and the `cad_scene` of a reasoning request."""

    schema_id: str = Field(alias="schema")
    source_format: str
    """Detected format; drawio for a diagram in any container format."""
    units: str
    """Unit of every length, as in the file."""
    structure: Structure | None = None
    """Present when target_contract is structured or both."""
    point_cloud_scene: PointCloudScene | None = None
    """Present when target_contract is point_cloud_scene or both."""
    statistics: Statistics
    warnings: list[str]
    """One entry per missing or doubtful value, with the reason."""
    partial: bool | None = None
    """True where the file is cut off or damaged and only a part of it was read; a warning says what is missing. Absent
    otherwise.
    """
    file_name: str | None = None
    target_contract: TargetContract | str | None = None
    usage: Usage | None = None
    request_id: str
    """Equals the reply's X-Request-ID header."""


class Fault(Model):
    """One error, readable for a person and for a program."""

    message: str
    """What was wrong, with what, and what to do about it."""
    type: str
    """Stable and machine-readable."""
    details: dict[str, Any] | None = None
    """Free-form; for a 400 of a batch it names the invalid item, for a validation error the paths of the fields."""


class CadExtractBatchItem(Model):
    """One file of a batch, its status and its outcome."""

    index: int
    """Position in the submission, from 0."""
    file_name: str
    status: Literal["queued", "running", "done", "failed"] | str
    http_status: int | None = None
    """Status that a single extract would have answered; absent until the item has ended."""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    result: CadExtraction | None = None
    """The document of a done item, with its usage. Its request_id is that of the submission."""
    error: Fault | None = None
    """The error of a failed item."""


class CadExtractBatch(Model):
    """The current state of a batch."""

    object: str = "cad_extract_batch"
    id: str
    status: Literal["queued", "running", "done", "failed", "expired"] | str
    status_url: str
    """Path to poll for the status."""
    counts: dict[str, int]
    """Number of items per status: always all four; their sum is the number of items."""
    usage: Usage | None = None
    """The sum over the items that succeeded."""
    created_at: datetime | None = None
    """Time of submission."""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    cancelled_at: datetime | None = None
    """Time at which its caller cancelled it."""
    expires_at: datetime
    """Submission + 24 h; results and staged files are then deleted."""
    request_id: str | None = None
    """Equals the reply's X-Request-ID header."""
    items: list[CadExtractBatchItem]
    """In the order of submission."""


class ResponsesResponse(Model):
    """Typed spatial output of one task."""

    id: str
    object: str = "response"
    model: str
    output: list[dict[str, Any]]
    usage: Usage | None = None
    request_id: str
    router: dict[str, Any]
    """Provenance: which runtime answered."""


class ResponseBatchItem(Model):
    """One entry: its HTTP status, and its response or its error."""

    status: int
    """200, 400, 402, 422, 429 or 503."""
    index: int | None = None
    """Place of the request in the batch, from 0."""
    response: ResponsesResponse | None = None
    """Where the status is 200."""
    error: Fault | None = None
    """Where it is not."""
    request_id: str | None = None
    """With an error: the item's own request_id, else that of the batch; a response has it inside."""
    retry_after: int | None = None
    """Seconds after which it makes sense to send the item again, where the status is 429 or 503."""


class ResponseBatch(Model):
    """Entries in request order: HTTP 200 if all succeeded, otherwise 207."""

    object: str = "response_batch"
    request_id: str
    data: list[ResponseBatchItem]


class FeatureTreeImported(Model):
    """The scene that was created from the tree."""

    scene_id: str
    request_id: str


class StoredExtraction(Model):
    """One extraction of the last 24 hours."""

    id: str
    file_name: str | None = None
    source_format: str | None = None
    created_at: datetime
    """When it was finished."""


class StoredExtractions(Model):
    """One page of them, latest first."""

    object: str = "list"
    data: list[StoredExtraction]
    has_more: bool
    """Whether there are more: ask with `skip`."""
    request_id: str


class Upload(Model):
    """The current state of one upload."""

    id: str
    object: str = "upload"
    status: Literal["waiting", "received", "used"] | str
    file_name: str
    upload_url: str | None = None
    """Where to PUT the file; absent once the upload is used."""
    method: str = "PUT"
    headers: dict[str, str] | None = None
    """Headers to send with the PUT, with your key in place of <API_KEY>; none if the URL is presigned."""
    max_bytes: int
    """Maximum size of the file in bytes."""
    size: int | None = None
    """Size of the received file in bytes."""
    sha256: str | None = None
    """SHA-256 of the received file, hexadecimal."""
    expires_at: datetime
    """Creation + 24 h; the file is then deleted."""
    request_id: str


class ModelCard(Model):
    """One model: description, inputs and outputs, prices."""

    id: str
    display_name: str
    description: str
    io: dict[str, Any]
    """Free-form: supported tasks, input modalities, limits."""
    pricing: dict[str, Any]
    """Free-form: US dollars per million spatial tokens."""


class ModelList(Model):
    """All models, and whether the runtime can take a request right now."""

    object: str = "list"
    data: list[ModelCard]
    runtime_configured: bool
    runtime_available: bool
    """Whether a healthy desktop worker can take a request right now."""
    runtime_status: str
    upstream_status: str


class UsageRow(Model):
    """The charges of one key for one operation on one day."""

    day: date
    """In UTC."""
    key_id: str
    key_prefix: str
    """The first characters of the key."""
    key_label: str | None = None
    operation: str
    """Route of the operation."""
    items: int
    """Requests that succeeded, and items of batches that did."""
    input_tokens: int
    output_tokens: int
    estimated_input_cost_usd: float
    estimated_output_cost_usd: float
    estimated_cost_usd: float


class UsageReport(Model):
    """The charges of an account in a time, by day, key and operation."""

    object: str = "usage_report"
    since: date
    """First day, in UTC."""
    until: date
    """Last day, in UTC."""
    data: list[UsageRow]
    total: Usage
    """The sum of all rows."""
    request_id: str


class Check(Model):
    """Result of one probe."""

    status: str
    latency_ms: float | None = Field(alias="latencyMs")
    """Milliseconds; null if nothing was queried."""
    detail: str
    """One sentence for a person."""


class Health(Model):
    """The overall status, which is the worst of all checks, and every check."""

    status: Literal["healthy", "degraded", "down"] | str
    """down is HTTP 503; the others are 200."""
    timestamp: datetime
    services: dict[str, str]
    """Status per service."""
    checks: dict[str, Check]
    """Result per probe."""


class SceneReference(Model):
    """Stands for a scene that was sent ahead; exactly one of its members is given (an addition to the spec)."""

    upload_id: str | None = None
    """An upload whose file is a `cad.extraction.v1` document."""
    scene_id: str | None = None
    """The scene of an imported feature tree."""
    extraction_id: str | None = None
    """An extraction of the last 24 hours."""
