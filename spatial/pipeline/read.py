"""One file from its bytes to the steps that its model can take: read, interpret, sample.

Each format's reader makes a model and nothing more; KINDS has one row per kind of model.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Final, Protocol

from spatial.collector import uncollected
from spatial.contract.formats import Format, format_of
from spatial.contract.points import PointCloudScene
from spatial.models.brep.model import BrepModel
from spatial.models.diagram.diagram import Diagram
from spatial.models.reading import Meaning, Reading, SamplingPlan
from spatial.models.sheet.drawing import Drawing, VectorImage
from spatial.pipeline.brep import BrepSteps
from spatial.pipeline.diagram import DiagramSteps
from spatial.pipeline.sheet import DrawingSteps, VectorImageSteps


class Steps(Protocol):
    """One file that was read."""

    reading: Reading

    def interpret(self) -> Meaning:
        """What the reading means."""
        ...

    def sample(self, plan: SamplingPlan) -> PointCloudScene:
        """Points on the surfaces or lines, in the document's units."""
        ...


KINDS: Final[dict[type, Callable[[Any], Steps]]] = {
    BrepModel: BrepSteps,
    Drawing: DrawingSteps,
    VectorImage: VectorImageSteps,
    Diagram: DiagramSteps,
}
"""Kind of model to its steps."""


def read(row: Format, data: bytes, file_name: str, without: Sequence[str] = ()) -> Steps:
    """Read one file of a format.

    without: those of the format's optional parts that are left out, with a warning.
    Raises: ParseError and UnsupportedFileType as the format's reader raises them.
    """
    # What readers make is kept and has no cycles: the cycle collector would take a third of the time in vain.
    with uncollected():
        return steps_of(import_module(row.reader).read(data, file_name, **({"without": without} if without else {})))


def read_file(data: bytes, file_name: str) -> Steps:
    """Read one file of the format that its name's extension selects.

    Raises: what `read` raises; UnsupportedFileType for an extension without a format.
    """
    return read(format_of(file_name), data, file_name)


def steps_of(model: object) -> Steps:
    """The steps of a model.

    Raises: TypeError for a kind of model without a row in KINDS.
    """
    try:
        kind = KINDS[type(model)]
    except KeyError:
        raise TypeError(
            f"{type(model).__name__} is a kind of model without steps; add its row to spatial.pipeline.read.KINDS"
        ) from None
    return kind(model)
