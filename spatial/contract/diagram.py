"""A diagram as a graph (spec: DiagramPage). Coordinates are pixels of the page, y down as drawn.

Glossary
  container   a node that contains other nodes: swimlane, group, list.
  connector   how an edge is drawn: straight, orthogonal, curved.
  relation    a spatial relation of two nodes, or one that an edge states between its ends.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from spatial.contract import examples
from spatial.contract.model import ItemList, Model, Numbers, OpenModel, RecordList

RelationType = Literal["contains", "left_of", "right_of", "above", "below", "overlaps"]

Count = Annotated[int, Field(ge=0)]
Point2 = Annotated[Numbers, Field(min_length=2, max_length=2)]
"""x, y in absolute page coordinates."""


class Rectangle(Model):
    """A rectangle in absolute page coordinates, with the offsets of containers applied."""

    x: float
    y: float
    width: float
    height: float


class DiagramNode(OpenModel):
    """One shape of a page."""

    nullable: ClassVar[frozenset[str]] = frozenset({"parent"})

    id: str
    label: str = ""
    """Plain text; HTML is stripped."""
    shape: str | None = None
    bbox: Rectangle | None = None
    center: Point2 | None = None
    parent: str | None = None
    """Id of the container; null if the node is directly on the page."""
    children: list[str] = Field(default_factory=list)
    is_container: bool = False
    is_text: bool = False
    link: str | None = None
    attributes: dict[str, str] = Field(default_factory=dict)


class DiagramEdge(OpenModel):
    """One connector; an end that is not attached is null."""

    nullable: ClassVar[frozenset[str]] = frozenset({"source", "target"})

    id: str
    source: str | None = None
    target: str | None = None
    directed: bool = False
    bidirectional: bool = False
    label: str = ""
    connector: str | None = None
    dashed: bool = False
    waypoints: ItemList[Point2] = Field(default_factory=list)


class Relation(Model):
    """subject is `type` object: "a contains b", "a is left of b"."""

    type: RelationType
    subject: str
    object: str
    via_edge: str | None = None
    """Id of the edge that states the relation."""


class Graph(OpenModel):
    """Summary of the graph that the edges form."""

    node_count: Count
    edge_count: Count
    components: Count
    """Number of connected components, ignoring direction."""
    roots: list[str]
    """Ids of nodes with outgoing edges only."""
    sinks: list[str]
    """Ids of nodes with incoming edges only."""
    isolated: list[str]
    """Ids of nodes without an edge."""
    has_cycle: bool


class DiagramPage(OpenModel):
    """One page of a diagram."""

    model_config = ConfigDict(json_schema_extra={"examples": [examples.DIAGRAM_PAGE]})

    id: str
    name: str
    nodes: RecordList[DiagramNode]
    edges: RecordList[DiagramEdge]
    relations: RecordList[Relation] = Field(default_factory=list)
    graph: Graph | None = None
