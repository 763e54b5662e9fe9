"""Extraction: request and result, `cad.extraction.v1` (spec: CadExtractRequest, CadExtraction).

Lengths are in the document's `units`, areas in their square, volumes in their cube, angles in degrees. A value that
could not be read is absent, and a warning gives the reason.

Glossary
  solid       a body: exact (surfaces as modelled) or tessellated (triangles).
  shell       faces sewn along their edges; closed when it has no free edge.
  definition  geometry that an assembly places several times; each placement is an instance with a transform.
"""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self, get_args

from pydantic import BeforeValidator, ConfigDict, Field, Strict, ValidationInfo, field_validator, model_validator
from pydantic_core import PydanticCustomError

from spatial.contract import examples
from spatial.contract.content import ContentBase64, ContentUrl, FileName, UploadId, decoded
from spatial.contract.diagram import DiagramPage
from spatial.contract.drawing import Annotation, Callout, Dimension, DrawingMetadata, Entity, Layer, Sheet
from spatial.contract.features import Feature
from spatial.contract.model import ItemList, Model, Numbers, OpenModel, Position, RecordList, Vector
from spatial.contract.pmi import PmiCoverage, PmiItem
from spatial.contract.points import PointCloudScene
from spatial.contract.target import TargetContract
from spatial.contract.usage import Usage

SCHEMA: Final = "cad.extraction.v1"
"""Value of `schema` (spec: Versioning 2)."""

SurfaceType = Literal[
    "plane", "cylinder", "cone", "sphere", "torus", "bspline", "bezier", "revolution", "extrusion", "offset", "other"
]
SURFACE_TYPES: Final[tuple[SurfaceType, ...]] = get_args(SurfaceType)
"""The values that the readers use for a face's `type`."""

Count = Annotated[int, Field(ge=0)]


Target = Annotated[TargetContract, Strict(False)]
"""A TargetContract or its name."""


class CadExtractRequest(Model):
    """Body of POST /api/v1/cad/extract, and one item of an extract batch."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [{"required": [name]} for name in ("content_base64", "upload_id", "content_url")],
            "examples": examples.EXTRACT_REQUESTS,
        }
    )

    file_name: FileName
    """Name with extension; the extension selects the parser."""
    content_base64: ContentBase64 | None = None
    """Standard base64 of the file's bytes, with padding; no data URL, no URL-safe alphabet."""
    upload_id: UploadId | None = None
    """Id of a file that was uploaded with POST /api/v1/uploads (an addition to the spec)."""
    content_url: Annotated[ContentUrl | None, Field(validate_default=True)] = None
    """Public http(s) URL that the server downloads."""
    target_contract: Target = TargetContract.structured
    edges: bool = False
    """Whether `structure.edges` lists how the faces of a model meet, which makes its document larger (an addition to the spec)."""

    def content(self) -> bytes | None:
        """The inline file's bytes, decoded on every call; None when the request names a URL or an upload."""
        return None if self.content_base64 is None else decoded(self.content_base64)

    @field_validator("content_url")
    @classmethod
    def _exactly_one_content(cls, url: str | None, info: ValidationInfo) -> str | None:
        if "content_base64" not in info.data or "upload_id" not in info.data:
            return url
        given = sum(content is not None for content in (url, info.data["content_base64"], info.data["upload_id"]))
        if given == 0:
            raise PydanticCustomError(
                "content_missing", "none of content_base64, content_url and upload_id is there; give one of them"
            )
        if given > 1:
            raise PydanticCustomError(
                "content_twice",
                "{given} of content_base64, content_url and upload_id are there; give exactly one of them",
                {"given": given},
            )
        return url


class BoundingBox(Model):
    """The smallest axis-aligned box, in the document's units; two numbers per corner in a drawing, three in a model."""

    min: Position
    max: Position

    @model_validator(mode="after")
    def _is_a_box(self) -> Self:
        if len(self.min) != len(self.max):
            raise PydanticCustomError(
                "bbox_dimensions", "min and max have not as many numbers; give two each or three each"
            )
        if any(low > high for low, high in zip(self.min, self.max, strict=True)):
            raise PydanticCustomError(
                "bbox_reversed", "a number of min is greater than that of max; write the smaller one in min"
            )
        return self


def _numbered(prefix: str) -> BeforeValidator:
    """Give items without an id the ids `prefix`-1, `prefix`-2, … by their position."""

    def number(items: Any) -> Any:
        if not isinstance(items, list):
            return items
        return [
            {**item, "id": f"{prefix}-{place}"} if isinstance(item, dict) and "id" not in item else item
            for place, item in enumerate(items, start=1)
        ]

    return BeforeValidator(number)


class Face(OpenModel):
    """One face: its surface, and the parameters of that surface."""

    id: str
    type: Annotated[str | None, Field(examples=list(SURFACE_TYPES))] = None
    """Surface type; in documents of this service one of SURFACE_TYPES."""
    modelled_as: str | None = None
    """Surface type that the file has, where `type` was recognised in it; absent otherwise."""
    curvature: Literal["convex", "concave"] | None = None
    """Of a cylinder, cone, sphere or the tube of a torus: convex as a pin, concave as a hole."""
    recognised: bool | None = None
    """True where the file writes the surface as another type (a cylinder as a B-spline), and `type` is what it is."""
    deviation: float | None = None
    """How far a recognised surface is from the file's at most."""
    area: float | None = None
    """Square units."""
    origin: Vector | None = None
    """A point of the plane or of the axis; the centre of a sphere or torus."""
    axis: Vector | None = None
    """Unit direction of the axis of a cylinder, cone, torus or revolution, or the direction of an extrusion."""
    normal: Vector | None = None
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


Faces = Annotated[ItemList[Face], _numbered("face")]


class Shell(OpenModel):
    """Faces sewn along their edges."""

    id: str
    is_closed: bool | None = None
    """Whether the shell has no free edge."""
    area: float | None = None
    """Square units."""
    bbox: BoundingBox | None = None
    faces: Faces = Field(default_factory=list)


Shells = Annotated[ItemList[Shell], _numbered("shell")]


class Solid(OpenModel):
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
    center_of_mass: Vector | None = None
    """Centre of mass at uniform density."""
    center_of_mass_error: float | None = None
    """How far the centre may be from there at most."""
    inertia: Annotated[Numbers | None, Field(min_length=9, max_length=9)] = None
    """Inertia tensor about the centre of mass at a density of 1, along the document's axes: 3 x 3, row by row, units to the fifth power."""
    principal_moments: Vector | None = None
    """Of the inertia, ascending."""
    principal_axes: Annotated[ItemList[Vector] | None, Field(min_length=3, max_length=3)] = None
    """Unit directions of the principal moments; absent where two moments are equal, so that their axes are any."""
    duplicate_of: str | None = None
    """Id of a solid at the same place with the same measures, of which this one is another representation; absent otherwise."""
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
    transform: Annotated[Numbers | None, Field(min_length=12, max_length=12)] = None
    """Definition to document: 3 x 4 matrix, row by row, translation in the document's units."""
    mirrored: bool | None = None
    """True where the placement is a mirror image of its definition; absent otherwise."""
    representation: Literal["exact", "tessellated"] | None = None
    is_closed: bool | None = None
    """Whether all its shells are closed."""
    faces: Faces = Field(default_factory=list)
    shells: Shells | None = None
    """Shells: the outer one first, then voids."""


class Curve(OpenModel):
    """One curve of a wireframe, or one that bounds no face."""

    id: str
    type: str | None = None
    """line, circle, ellipse, bspline, …"""
    length: float | None = None
    bbox: BoundingBox | None = None


class Stated(OpenModel):
    """What the program that wrote the file computed (validation properties), and how far our measures are from it."""

    volume: float | None = None
    """Cubic units."""
    surface_area: float | None = None
    """Square units."""
    center_of_mass: Vector | None = None
    """In the part's own coordinates."""
    volume_deviation: float | None = None
    """(ours - stated) / stated."""
    surface_area_deviation: float | None = None
    """(ours - stated) / stated."""
    center_of_mass_deviation: float | None = None
    """Distance, in the document's units."""


class Part(OpenModel):
    """A product of the file, described once: a part, or an assembly of parts."""

    id: str
    """"product-1", "product-2", …"""
    name: str
    number: str | None = None
    """Identifier of the product in the file, as a rule its part number."""
    description: str | None = None
    color: str | None = None
    """#rrggbb, sRGB."""
    layers: ItemList[str] | None = None
    hidden: bool | None = None
    """True where the file says that it is not shown; absent otherwise."""
    material: str | None = None
    density: float | None = None
    """Kilograms per cubic metre."""
    mass: float | None = None
    """Kilograms: density times volume; of an assembly, the sum where the mass of every part is known."""
    count: Count | None = None
    """How often the file places it, in all assemblies together."""
    solids: list[str] | None = None
    """Ids of the solids that are bodies of this part, in every placement."""
    definitions: list[str] | None = None
    """Ids of the definitions of its bodies, each measured once."""
    stated: Stated | None = None


class Edge(OpenModel):
    """One edge of a body, and the faces that meet along it."""

    id: str
    """"edge-1", "edge-2", … within its body."""
    body: str
    """Id of the solid or shell: the first of those with the same `instance_of`, whose faces and edges are all alike."""
    faces: ItemList[str]
    """Ids of the faces that it bounds: two, or one where it is free or a seam."""
    type: str | None = None
    """line, circle, ellipse, spline or other."""
    length: float | None = None
    radius: float | None = None
    """Of a circle."""
    convexity: Literal["convex", "concave", "smooth", "mixed"] | None = None
    """How its two faces meet: convex as at the rim of a box, concave as at the foot of a boss, smooth where they are tangent."""
    angle: float | None = None
    """Degrees between the outward normals of its faces, in its middle: positive where convex, negative where concave."""
    seam: bool | None = None
    """True where a face closes on itself along it; absent otherwise."""


class AssemblyNode(OpenModel):
    """One named placement in the product tree."""

    name: str
    """Of the product that is placed."""
    instance: str | None = None
    """The placement's own name, where it is another one."""
    id: str | None = None
    """"instance-1", "instance-2", … in the order of the tree, a parent before its children."""
    definition: str | None = None
    """Id of the product that is placed, in `parts`."""
    transform: Annotated[Numbers | None, Field(min_length=12, max_length=12)] = None
    """Child to parent: 3 x 4 matrix, row by row, translation in the document's units."""
    matrix: Annotated[Numbers | None, Field(min_length=16, max_length=16)] = None
    """The same as a 4 x 4 matrix, row by row, whose last row is 0, 0, 0, 1."""
    mirrored: bool | None = None
    """True where the placement is a mirror image of its product; absent otherwise."""
    hidden: bool | None = None
    """True where the file says that the placement is not shown; absent otherwise."""
    solids: list[str] | None = None
    """Ids of the solids directly in this node."""
    children: ItemList[AssemblyNode] | None = None


class Structure(OpenModel):
    """Extracted content, by kind of document; members that do not apply are absent."""

    kind: Literal["brep", "drawing2d", "diagram2d"]
    solids: Annotated[ItemList[Solid], _numbered("solid")] | None = None
    """brep."""
    shells: Shells | None = None
    """brep: shells that belong to no solid."""
    free_faces: Faces | None = None
    """brep: faces that belong to no shell."""
    curves: Annotated[ItemList[Curve], _numbered("curve")] | None = None
    """brep: wireframe and curves that bound no face."""
    edges: ItemList[Edge] | None = None
    """brep: the edges of each definition, once."""
    features: ItemList[Feature] | None = None
    """brep: holes, fillets, chamfers, slots, pockets, …"""
    parts: ItemList[Part] | None = None
    """brep: the products of the file, each once."""
    assembly: ItemList[AssemblyNode] | None = None
    """brep: the product tree, from its roots."""
    sheets: ItemList[Sheet] | None = None
    """drawing2d: its pages or spaces."""
    layers: ItemList[Layer] | None = None
    entities: RecordList[Entity] | None = None
    """drawing2d, diagram2d: typed entities with geometry."""
    dimensions: ItemList[Dimension] | None = None
    """drawing2d; of a brep those of its PMI."""
    annotations: ItemList[Annotation] | None = None
    """drawing2d; of a brep the tolerances, datums and notes of its PMI, and annotations that are only drawn."""
    pages: ItemList[DiagramPage] | None = None
    """diagram2d only."""
    callouts: ItemList[Callout] | None = None
    """DXF and PDF only."""
    pmi: ItemList[PmiItem] | None = None
    """brep: what the designer wrote into the model, in the words of callouts; STEP only (an addition to the spec)."""
    coverage: dict[str, PmiCoverage] | None = None
    """brep: how much of the model's PMI is written as values and how much is only drawn, per kind (an addition to the spec)."""
    drawing_metadata: DrawingMetadata | None = None
    """DXF and PDF only; absent when the sheet has none."""


class Statistics(Model):
    """Counts of entities and points, and the overall box."""

    entity_counts: dict[str, Count] = Field(default_factory=dict)
    """Number of entities per kind."""
    total_points: Count = 0
    """Points in `point_cloud_scene`."""
    bbox: BoundingBox | None = None
    """Box around all geometry; absent if there is none."""


class CadExtraction(OpenModel):
    """The extraction result, and the `cad_scene` of a reasoning request."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.EXTRACTION]})

    schema_id: Literal["cad.extraction.v1"] = Field(alias="schema")
    source_format: Annotated[str, Field(examples=["step", "iges", "dxf", "pdf", "svg", "drawio"])]
    """Detected format; drawio for a diagram in any container format."""
    units: Annotated[str, Field(examples=["millimeter", "inch", "meter", "point", "pixel"])]
    """Unit of every length, as in the file."""
    structure: Structure | None = None
    """Present when target_contract is structured or both."""
    point_cloud_scene: PointCloudScene | None = None
    """Present when target_contract is point_cloud_scene or both."""
    statistics: Statistics
    warnings: list[str]
    """One entry per missing or doubtful value, with the reason."""
    partial: bool | None = None
    """True where the file is cut off or damaged and only a part of it was read; a warning says what is missing. Absent otherwise."""
    file_name: str | None = None
    target_contract: Target | None = None
    usage: Usage | None = None
    request_id: str
    """Equals the reply's X-Request-ID header."""
