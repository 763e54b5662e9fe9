"""What a file states and the kernel's translator did not make: faces, solids, and the entities that are the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from spatial.counting import count_of, listed
from spatial.errors import ParseError
from spatial.models.brep.instances import FlattenedAssembly, Instance

SHOWN: Final = 3
"""How many causes a sentence shows."""


@dataclass(frozen=True)
class Losses:
    """What the file states and the model lacks."""

    faces: int
    faces_stated: int
    solids: int
    solids_stated: int
    causes: list[str]
    """Entities that are the reason, as the file writes them or with what is the matter."""

    def __bool__(self) -> bool:
        return bool(self.faces or self.solids or self.causes)

    @property
    def sentence(self) -> str:
        """What is missing, and the first causes."""
        missing = [
            f"{lost:,} of {count_of(stated, what)}"
            for lost, stated, what in (
                (self.solids, self.solids_stated, "solid"),
                (self.faces, self.faces_stated, "face"),
            )
            if lost
        ]
        what = f"{' and '.join(missing) or 'a part of the geometry'} could not be read"
        if not self.causes:
            return what
        return f"{what}, because of {listed(self.causes, SHOWN, '; ')}"


def made_faces(flattened: FlattenedAssembly) -> int:
    """Faces with a surface that the translator made; those of a definition that is placed several times count once."""
    return sum(body.definition.face_count for body in _definitions(flattened))


def made_solids(flattened: FlattenedAssembly) -> int:
    """Solids that it made, likewise."""
    return sum(body.kind == "solid" for body in _definitions(flattened))


def _definitions(flattened: FlattenedAssembly) -> list[Instance]:
    return list({id(body.definition): body for body in flattened.instances if not body.definition.tessellated}.values())


def report(lost: Losses, flattened: FlattenedAssembly, file_name: str, warnings: list[str]) -> None:
    """Warn of what is missing. Raises: ParseError where nothing was made."""
    if not lost:
        return
    if _is_empty(flattened):
        raise ParseError(f"{file_name}: {lost.sentence}; export it again", details={"phase": "transfer"})
    warnings.append(lost.sentence)


def _is_empty(flattened: FlattenedAssembly) -> bool:
    """Whether nothing was made: no face, no curve, no triangle; an empty shell is nothing."""
    made = (each.definition for each in flattened.instances)
    return not any(each.tessellated or each.face_count or each.body.edge_count for each in made)
