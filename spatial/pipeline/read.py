"""One file from its bytes to the steps that its model can take: read, interpret, sample.

Each format's reader makes a model and nothing more; KINDS has one row per kind of model.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Final, Protocol

from spatial.collector import uncollected
from spatial.contract.formats import Format, format_of
from spatial.contract.points import PointCloudScene
from spatial.models.reading import Meaning, Reading
from spatial.models.sampling_plan import SamplingPlan
from spatial.pipeline.estimate import refuse_slow


class Steps(Protocol):
    """One file that was read."""

    reading: Reading
    spent: float
    """Seconds of a processor that reading it took."""

    def interpret(self) -> Meaning:
        """What the reading means."""
        ...

    def sample(self, plan: SamplingPlan) -> PointCloudScene:
        """Points on the surfaces or lines, in the document's units."""
        ...


KINDS: Final[dict[str, str]] = {
    "spatial.models.brep.model.BrepModel": "spatial.pipeline.brep.BrepSteps",
    "spatial.models.sheet.drawing.Drawing": "spatial.pipeline.sheet.DrawingSteps",
    "spatial.models.sheet.drawing.VectorImage": "spatial.pipeline.sheet.VectorImageSteps",
    "spatial.models.diagram.diagram.Diagram": "spatial.pipeline.diagram.DiagramSteps",
}
"""Kind of model to its steps, by their names: only those of the file's own kind are imported."""


def read(row: Format, data: bytes, file_name: str, without: Sequence[str] = ()) -> Steps:
    """Read one file of a format.

    without: those of the format's optional parts that are left out, with a warning.
    Raises: ParseError and UnsupportedFileType as the format's reader raises them, and where a drawing takes longer than the
    deadline.
    """
    refuse_slow(row, data, file_name)
    # What readers make is kept and has no cycles: the cycle collector would take a third of the time in vain.
    with uncollected():
        began = time.thread_time()
        steps = steps_of(import_module(row.reader).read(data, file_name, **({"without": without} if without else {})))
        steps.spent = time.thread_time() - began
        return steps


def read_file(data: bytes, file_name: str) -> Steps:
    """Read one file of the format that its name's extension selects.

    Raises: what `read` raises; UnsupportedFileType for an extension without a format.
    """
    return read(format_of(file_name), data, file_name)


def steps_of(model: object) -> Steps:
    """The steps of a model.

    Raises: TypeError for a kind of model without a row in KINDS.
    """
    kind = type(model)
    try:
        module, _, name = KINDS[f"{kind.__module__}.{kind.__qualname__}"].rpartition(".")
    except KeyError:
        raise TypeError(
            f"{kind.__name__} is a kind of model without steps; add its row to spatial.pipeline.read.KINDS"
        ) from None
    make: Callable[[object], Steps] = getattr(import_module(module), name)
    return make(model)
