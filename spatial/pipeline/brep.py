"""The steps of a boundary representation, whatever format it came in."""

from __future__ import annotations

from functools import partial

from spatial.contract.points import PointCloudScene
from spatial.models.brep.model import BrepModel
from spatial.models.guard import attempt
from spatial.models.reading import Meaning, SamplingPlan
from spatial.pipeline.sample.brep import sample
from spatial.understanding.brep.validity import validity


class BrepSteps:
    """A B-rep model between read and sample."""

    def __init__(self, model: BrepModel) -> None:
        self._model = model
        self.reading = model.reading

    def interpret(self) -> Meaning:
        """Layered validity: what holds, what does not, and the first layer that fails."""
        warnings: list[str] = []
        meaning = attempt("validity", partial(validity, self._model), Meaning(), warnings)
        return meaning.model_copy(update={"warnings": meaning.warnings + warnings})

    def sample(self, plan: SamplingPlan) -> PointCloudScene:
        """Points on the surfaces, in the document's units; one cloud per solid or open shape."""
        return sample(self._model, plan)
