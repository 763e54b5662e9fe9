"""What the bodies of a file will take in its document, told before anything is measured."""

from __future__ import annotations

from collections import Counter
from typing import Final

from spatial.contract.limits import READING_BYTES
from spatial.counting import count_of
from spatial.errors import ParseError
from spatial.models.brep.instances import FlattenedAssembly

LEAST_FACE_BYTES: Final = 120
"""Of a face in a document: planes of small numbers take 125, cylinders 170, the mean of real files is 145 to 170."""

LEAST_BODY_BYTES: Final = 600
"""Of a body without its faces: 800 to 1,000 in real files."""


def refuse_oversized(flattened: FlattenedAssembly, file_name: str) -> FlattenedAssembly:
    """The assembly, unless its bodies cannot fit a document, however they are written.

    Every instance of a part lists the part's faces, so that a small file can ask for a large document.

    Raises: ParseError with the estimate.
    """
    counts = Counter(id(each.definition) for each in flattened.instances)
    definitions = {id(each.definition): each.definition for each in flattened.instances}
    faces = sum(count * definitions[name].face_count for name, count in counts.items())
    least = faces * LEAST_FACE_BYTES + len(flattened.instances) * LEAST_BODY_BYTES
    if least > READING_BYTES:
        bodies = count_of(len(flattened.instances), "body", "bodies")
        raise ParseError(
            f"{file_name}: {bodies} with {count_of(faces, 'face')} give a document of {least / 2**20:,.0f} MiB or more, "
            f"and {READING_BYTES / 2**20:.0f} MiB is the most; export its sub-assemblies one by one",
            details={"phase": "read", "estimated_bytes": least, "result_limit_bytes": READING_BYTES},
        )
    return flattened
