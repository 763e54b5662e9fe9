"""Threads that a model does not have as geometry and that its file names: at a face, or in a note or dimension.

A text counts where the rules of callouts read a thread in it and the face that it belongs to has a diameter that such a thread is cut
into: a note on a plane says nothing of a hole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from spatial.contract.drawing import Callout
from spatial.contract.extraction import Face
from spatial.counting import listed
from spatial.geometry.rounding import significant
from spatial.knowledge.screw_holes import AS_NOMINAL, DEEPEST, UNKNOWN_PITCH, is_thread_bore
from spatial.models.brep.model import BrepModel

INCH: Final = 25.4
_SHOWN: Final = 3
"""Texts that a warning names."""
_SAID: Final = ("text", "presented", "name")
"""Members of an item of PMI that may say a thread."""
_LEFT: Final = ("-LH", "-lh", "LEFT HAND", "LINKS")

Row = dict[str, Any]


@dataclass(frozen=True)
class _Written:
    """A thread as a text has it; millimetres."""

    text: str
    source: str
    designation: str
    diameter: float
    pitch: float | None
    length: float | None
    hand: str | None

    def fits_bore(self, diameter: float) -> bool:
        return is_thread_bore(diameter, self.diameter, self.pitch)

    def fits_shaft(self, diameter: float) -> bool:
        least = self.diameter - DEEPEST * (self.pitch or UNKNOWN_PITCH * self.diameter)
        return least <= diameter <= self.diameter * (1.0 + AS_NOMINAL)

    def members(self, scale: float) -> Row:
        """As the contract's FeatureThread; scale: document units per millimetre."""
        lengths = {"diameter": self.diameter, "pitch": self.pitch, "length": self.length}
        found = {name: significant(value * scale) for name, value in lengths.items() if value is not None}
        return {
            "designation": self.designation,
            **found,
            **({"hand": self.hand} if self.hand else {}),
            "source": self.source,
        }


def with_threads(structure: dict[str, Any], model: BrepModel, warnings: list[str]) -> None:
    """Add to the document's `features` the threads that the file names: to holes, and as features of shafts.

    structure: members of the document, with `features`, `pmi` and `annotations` where it has them.
    """
    written = list(_written(structure, model))
    if not written:
        return
    rows: list[Row] = structure.setdefault("features", [])
    placed = _Placed(rows, model)
    found = [(thread.text, placed.place(thread, body, face)) for thread, body, face in written]
    placed_texts = {text for text, is_placed in found if is_placed}
    lost = [text for text, _ in found if text not in placed_texts]
    if lost:
        shown = listed([f'"{text}"' for text in dict.fromkeys(lost)], _SHOWN)
        warnings.append(
            f"the file names threads at faces that such a thread is not cut into, which are left out: {shown}"
        )
    if not rows:
        del structure["features"]


def _written(structure: Mapping[str, Any], model: BrepModel) -> Iterator[tuple[_Written, str, str]]:
    """Every thread, with a body and a face of it that it stands at."""
    for item in (*structure.get("pmi", ()), *structure.get("annotations", ())):
        threads = [found for name in _SAID if (found := _thread(str(item.get(name) or ""), "pmi"))]
        for reference in item.get("faces", ()) if threads else ():
            for face in reference["faces"]:
                yield threads[0], reference["bodies"][0], face
    for named in model.named:
        thread = _thread(named.name, "named")
        for place in named.faces if thread else ():
            for face in place.faces:
                if thread is not None:
                    yield thread, place.bodies[0], face


def _thread(text: str, source: str) -> _Written | None:
    """The thread that a text says, where it says one."""
    if not text:
        return None
    # The rules of callouts take longer to import than a small part to read, and few models name threads.
    from spatial.understanding.sheet.callouts.context import Context
    from spatial.understanding.sheet.callouts.extract import extract_callouts
    from spatial.understanding.sheet.label import Label

    label = Label(tuple(text.splitlines()), 1, (0.0, 0.0), (0.0, 0.0, 0.0, 0.0), 0.0, 1.0, (), role="leader")
    found = [each for each in extract_callouts(label, Context()) if each.type == "thread"]
    return _read(found[0], text, source) if len(found) == 1 else None


def _read(callout: Callout, text: str, source: str) -> _Written | None:
    members = callout.model_dump(exclude_none=True)
    factor = {"millimeter": 1.0, "inch": INCH}.get(members.get("unit", ""))
    diameter = members.get("diameter")
    if factor is None or diameter is None:
        return None
    pitch, per_inch = members.get("pitch"), members.get("tpi")
    return _Written(
        text=text,
        source=source,
        designation=str(members.get("designation") or members.get("size") or text),
        diameter=float(diameter) * factor,
        pitch=float(pitch) * factor if pitch else INCH / float(per_inch) if per_inch else None,
        length=None if callout.depth is None else callout.depth * factor,
        hand="left" if any(word in text for word in _LEFT) else None,
    )


class _Placed:
    """The features of a document, by their faces."""

    def __init__(self, rows: list[Row], model: BrepModel) -> None:
        self._rows = rows
        self._scale = model.scale
        self._faces = {
            (solid.id, face.id): face for solid in model.reading.structure.solids or () for face in solid.faces
        }
        self._instances = {
            solid.id: [each.id for each in model.solids if each.definition == solid.definition]
            for solid in model.solids
        }
        self._of_face = {
            (solid, face): row
            for row in rows
            if row["type"] in ("hole", "thread")
            for solid in row["solids"]
            for face in row["faces"]
        }

    def place(self, thread: _Written, body: str, face: str) -> bool:
        """Whether the face has such a thread, or has one already."""
        row = self._of_face.get((body, face))
        if row is not None:
            if "thread" not in row:
                if not thread.fits_bore(row["diameter"] / self._scale):
                    return False
                row["thread"] = thread.members(self._scale)
            return True
        found = self._faces.get((body, face))
        if found is None or found.type != "cylinder" or found.curvature != "convex" or found.radius is None:
            return False
        if not thread.fits_shaft(2.0 * found.radius / self._scale):
            return False
        self._add(thread, body, found)
        return True

    def _add(self, thread: _Written, body: str, face: Face) -> None:
        members = thread.members(self._scale)
        solids = self._instances.get(body, [body])
        row: Row = {
            "id": f"feature-{len(self._rows) + 1}",
            "type": "thread",
            "solids": solids,
            "faces": [face.id],
            "diameter": members["diameter"],
            "thread": members,
        }
        self._rows.append(row)
        self._of_face |= {(solid, face.id): row for solid in solids}
