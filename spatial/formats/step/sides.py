"""Solids that are inside out in the file and that the kernel has turned.

A face says whether its surface's normal points out of the material (ISO 10303-42, `same_sense`), and a shell may turn all of its faces
(`oriented_closed_shell`). The kernel turns a solid whose faces look inwards, without a word; some faces of each solid are compared
with what was made of them.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from spatial.counting import listed
from spatial.formats.step.part21 import Part21
from spatial.models.brep.body import BodyFace
from spatial.models.brep.definition import Definition
from spatial.models.brep.instances import FlattenedAssembly

SOLIDS: Final = 500
"""Solids of a file that are looked at."""
FACES: Final = 4
"""Faces of each that are compared; a solid is turned as a whole."""
SHOWN: Final = 5
"""Solids that a warning names."""

_SOLIDS: Final = ("MANIFOLD_SOLID_BREP", "BREP_WITH_VOIDS")
"""The outer shell comes first in both."""
_KINDS: Final = {b"PLANE": "plane", b"CYLINDRICAL_SURFACE": "cylinder"}
"""Surfaces whose normals the kernel takes as the file has them."""
_NEAR: Final = 1e-4
"""Millimetres within which two places are one: the translator and the file round less."""

_REFERENCE: Final = re.compile(rb"#\s*(\d{1,18})")
_FLAG: Final = re.compile(rb"\.([TF])\.\s*\)\s*(?:;\s*)?$")
_KEYWORD: Final = re.compile(rb"\s*(\w+)")
_POINT: Final = re.compile(rb"\(([^()]*)\)\s*\)\s*(?:;\s*)?$")


def note_turned(text: Part21, flattened: FlattenedAssembly, scale: float, warnings: list[str]) -> None:
    """Warn of solids whose faces look inwards in the file.

    flattened: the bodies as the document lists them. scale: millimetres per unit of the file's geometry.
    """
    by_size: dict[int, list[tuple[str, Definition]]] = defaultdict(list)
    for body in flattened.of_kind("solid"):
        if all(body.definition is not known for _, known in by_size[len(body.definition.body.faces)]):
            by_size[len(body.definition.body.faces)].append((body.id, body.definition))
    turned = []
    statements = (each for keyword in _SOLIDS for _, each in text.instances(keyword))
    for statement, _ in zip(statements, range(SOLIDS), strict=False):
        shells = [_shell(text, int(number)) for number in _REFERENCE.findall(statement)]
        faces, side = shells[0] if shells else ([], 1.0)
        for name, definition in by_size.get(sum(len(each) for each, _ in shells), ()):
            sides = list(_sides(text, faces, definition.body.faces, scale))
            if sides and None not in sides:
                turned += [name] if set(sides) == {-side} else []
                break
    if turned:
        which = listed(list(dict.fromkeys(turned)), SHOWN)
        warnings.append(
            f"{which}: the faces look inwards in the file, and were turned outwards; "
            "export it again with its faces outwards where another program shows it inside out"
        )


def _shell(text: Part21, number: int) -> tuple[list[int], float]:
    """The faces of a shell, and -1 where it turns them."""
    shell, side = text.instance(number), 1.0
    if shell.upper().startswith(b"ORIENTED_CLOSED_SHELL"):
        side = _flag(shell)
        shell = text.instance(_last(shell))
    return [int(face) for face in _REFERENCE.findall(shell)], side


def _sides(text: Part21, numbers: list[int], faces: list[BodyFace], scale: float) -> Iterator[float | None]:
    """Of some faces: +1 where the kernel's side is the file's, -1 where it is the other; None where they are different faces.

    numbers: of the outer shell in the file, whose faces are the first of the body.
    """
    left = FACES
    for number, made in zip(numbers, faces, strict=False):
        if made.kind not in _KINDS.values():
            continue
        face = text.instance(number)
        surface = text.instance(_last(face))
        keyword = _KEYWORD.match(surface)
        point = _origin(text, surface)
        origin = made.parameters.get("origin")
        if keyword is None or _KINDS.get(keyword[1].upper()) != made.kind or point is None or origin is None:
            yield None
            return
        is_same = all(abs(a * scale - b) < _NEAR for a, b in zip(point, origin, strict=True))
        yield _flag(face) * made.sign if is_same else None
        left -= 1
        if not is_same or not left:
            return


def _origin(text: Part21, surface: bytes) -> tuple[float, ...] | None:
    """The point of a surface's placement."""
    first = _REFERENCE.search(surface)
    placement = _REFERENCE.search(text.instance(int(first[1]))) if first else None
    point = _POINT.search(text.instance(int(placement[1]))) if placement else None
    try:
        return tuple(map(float, point[1].split(b","))) if point else None
    except ValueError:
        return None


def _last(statement: bytes) -> int:
    numbers = _REFERENCE.findall(statement)
    return int(numbers[-1]) if numbers else -1


def _flag(statement: bytes) -> float:
    found = _FLAG.search(statement)
    return -1.0 if found is not None and found[1] == b"F" else 1.0
