"""Files that ask for a larger document than can be given."""

from __future__ import annotations

import cadquery as cq
import pytest
from OCP.gp import gp_Trsf, gp_Vec

from spatial.contract.limits import READING_BYTES
from spatial.errors import ParseError
from spatial.models.brep.answer_size import refuse_oversized
from spatial.models.brep.instances import FlattenedAssembly, flatten
from spatial.models.brep.product import Node, Product
from tests.spatial import parts


def assembly(count: int) -> FlattenedAssembly:
    """Instances of a plate with 6 + 20 x 20 faces."""
    plate = parts.solid(cq.Workplane().box(100, 100, 5).faces(">Z").workplane().rarray(4.5, 4.5, 20, 20).hole(2))
    product = Product("plate", plate.wrapped)
    nodes = []
    for number in range(count):
        place = gp_Trsf()
        place.SetTranslation(gp_Vec(0, 0, 10.0 * number))
        nodes.append(Node(None, product, place))
    return flatten(nodes, 1.0)


@pytest.mark.requirement("brep.oversized")
def test_a_file_that_fits_is_read() -> None:
    fitting = assembly(100)
    assert refuse_oversized(fitting, "plates.step") is fitting


@pytest.mark.requirement("brep.oversized")
def test_a_file_that_cannot_fit_is_refused_with_the_estimate_and_measures_nothing() -> None:
    flattened = assembly(3000)
    with pytest.raises(
        ParseError, match=r"plates.step: 3,000 bodies with 1,218,000 faces .* export its sub-assemblies"
    ) as caught:
        refuse_oversized(flattened, "plates.step")
    assert caught.value.details is not None
    assert caught.value.details["estimated_bytes"] > READING_BYTES
    assert "mass" not in vars(flattened.instances[0].definition)
