"""The steps of a boundary representation, whatever format it came in."""

from __future__ import annotations

from spatial.contract.points import PointCloudScene
from spatial.models.brep.model import BrepModel
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
        return validity(self._model)

    def sample(self, plan: SamplingPlan) -> PointCloudScene:
        """Points on the surfaces, in the document's units; one cloud per solid or open shape."""
        return sample(self._model, plan)
