"""The steps of a boundary representation, whatever format it came in.

Each step imports what it needs: the kernel takes a second to import, which a process that reads drawings does not spend.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from spatial.collector import uncollected
from spatial.contract.features import Feature
from spatial.contract.points import PointCloudScene
from spatial.models.guard import attempt
from spatial.models.picture import Picture, PicturePlan
from spatial.models.reading import Meaning
from spatial.models.sampling_plan import SamplingPlan

if TYPE_CHECKING:
    from spatial.models.brep.model import BrepModel


class BrepSteps:
    """A B-rep model between read and sample."""

    def __init__(self, model: BrepModel) -> None:
        self._model = model
        self.spent = 0.0
        self.reading = model.reading

    def interpret(self, *, edges: bool = False) -> Meaning:
        """Layered validity, the features of the solids, what the designer wrote into the model, and, if asked for, its edges."""
        from spatial.models.brep.adjacency import listed
        from spatial.understanding.brep.features.recognise import features
        from spatial.understanding.brep.features.written_threads import with_threads
        from spatial.understanding.brep.pmi.of_features import with_features
        from spatial.understanding.brep.pmi.structure import pmi
        from spatial.understanding.brep.validity import validity

        warnings: list[str] = []
        parts = [
            attempt("validity", partial(validity, self._model), Meaning(), warnings),
            attempt("features", partial(features, self._model), Meaning(), warnings),
            attempt("PMI", partial(pmi, self._model), Meaning(), warnings),
            *([attempt("edges", partial(listed, self._model), Meaning(), warnings)] if edges else []),
        ]
        structure = {name: value for part in parts for name, value in part.structure.items()}
        with_threads(structure, self._model, warnings)
        if "pmi" in structure and "features" in structure:
            structure["pmi"] = with_features(structure["pmi"], structure["features"])
        return Meaning(
            structure=structure,
            warnings=[warning for part in parts for warning in part.warnings] + warnings,
        )

    def mesh(self) -> bytes:
        """The triangles of the surfaces, as binary glTF."""
        from spatial.pipeline.mesh import mesh

        return mesh(self._model)

    def picture(self, plan: PicturePlan, title: str) -> Picture:
        """A picture of the solids. Raises: ParseError, InvalidRequest."""
        from spatial.pipeline.picture.draw import draw
        from spatial.understanding.brep.features.recognise import features

        found = features(self._model).structure.get("features", []) if plan.features else []
        return draw(self._model, [Feature.model_validate(row) for row in found], plan, title)

    def sample(self, plan: SamplingPlan) -> PointCloudScene:
        """Points on the surfaces, in the document's units; one cloud per solid or open shape."""
        from spatial.pipeline.sample.brep import sample

        with uncollected():
            return sample(self._model, plan)
