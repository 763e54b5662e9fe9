"""Sensor readings of a request: what they say of each object, and what of them is not used.

    {"object_id": "part-1", "time": 2.5, "position": [x, y, z], "orientation": [w, x, y, z], "velocity": [x, y, z],
     "angular_velocity": [x, y, z], "force": [x, y, z], "mass": m}

Lengths are in the scene's units, times in seconds, angular velocities in rad/s, forces in newtons, masses in kilograms; all but object_id
may be absent. Two positions or orientations at different times give a velocity where no reading has one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from scipy.spatial.transform import Rotation

from spatial.reasoning.members import Members
from spatial.reasoning.scene.model import Array

MEMBERS: Final = ("object_id", "time", "position", "orientation", "velocity", "angular_velocity", "force", "mass")
"""Members of a sensor reading."""


@dataclass(frozen=True, eq=False)
class Reading:
    """One reading, checked. orientation: (3, 3)."""

    time: float | None
    position: Array | None
    orientation: Array | None
    velocity: Array | None
    angular_velocity: Array | None
    force: Array | None
    mass: float | None


@dataclass(frozen=True, eq=False)
class Sensed:
    """What all readings of one object say; the latest counts. force: newtons; mass: kilograms."""

    velocity: Array | None = None
    angular_velocity: Array | None = None
    force: Array | None = None
    mass: float | None = None
    sources: tuple[str, ...] = field(default=())


def read_readings(readings: Sequence[Mapping[str, Any]], known: Sequence[str]) -> tuple[dict[str, Sensed], list[str]]:
    """What is sensed of each object, and warnings about what is not used. Raises: InputRejected for a value of the wrong kind."""
    rows: dict[str, list[Reading]] = {}
    warnings: list[str] = []
    for place, values in enumerate(readings):
        reader = Members(values, f"input.sensor_readings.{place}", MEMBERS)
        name = reader.text("object_id")
        reading = _reading(reader)
        warnings += reader.unused()
        if name is None or name not in known:
            warnings.append(
                f"input.sensor_readings.{place} is not used: its object_id is that of no object of the scene"
            )
        else:
            rows.setdefault(name, []).append(reading)
    sensed = {name: _sensed(found) for name, found in rows.items()}
    for name, found in rows.items():
        warnings += _unused(name, found, sensed[name])
    return sensed, warnings


def _reading(reader: Members) -> Reading:
    quaternion = reader.vector("orientation", (4,))
    if quaternion is not None and not np.linalg.norm(quaternion) > 0:
        raise reader.rejected("orientation", "is no quaternion; give [w, x, y, z]")
    return Reading(
        reader.number_or_none("time"),
        reader.vector("position"),
        None if quaternion is None else Rotation.from_quat(np.roll(quaternion, -1)).as_matrix(),
        reader.vector("velocity"),
        reader.vector("angular_velocity"),
        reader.vector("force"),
        reader.number_or_none("mass", above=0.0),
    )


def _sensed(rows: list[Reading]) -> Sensed:
    ordered = sorted(rows, key=lambda row: -np.inf if row.time is None else row.time)
    last: dict[str, Any] = {}
    for row in ordered:
        for name in ("velocity", "angular_velocity", "force", "mass"):
            if getattr(row, name) is not None:
                last[name] = getattr(row, name)
    sources = [f"sensor {name}" for name in ("velocity", "angular_velocity") if name in last]
    if "velocity" not in last:
        pair = _last_two(ordered, "position")
        if pair is not None:
            last["velocity"] = (pair[1].position - pair[0].position) / (pair[1].time - pair[0].time)
            sources.append("sensor positions")
    if "angular_velocity" not in last:
        pair = _last_two(ordered, "orientation")
        if pair is not None:
            turn = pair[1].orientation @ pair[0].orientation.T
            last["angular_velocity"] = Rotation.from_matrix(turn).as_rotvec() / (pair[1].time - pair[0].time)
            sources.append("sensor orientations")
    return Sensed(**last, sources=tuple(sources))


def _last_two(ordered: list[Reading], name: str) -> tuple[Any, Any] | None:
    """The last two readings with a value and different times."""
    timed = [row for row in ordered if row.time is not None and getattr(row, name) is not None]
    earlier = [row for row in timed if row.time != timed[-1].time]
    return (earlier[-1], timed[-1]) if earlier else None


def _unused(name: str, rows: list[Reading], sensed: Sensed) -> list[str]:
    found = []
    if sensed.force is not None and sensed.mass is None:
        found.append(f"{name}: the force is not used without a mass; send the mass in kilograms")
    for member, source in (("position", "sensor positions"), ("orientation", "sensor orientations")):
        if any(getattr(row, member) is not None for row in rows) and source not in sensed.sources:
            found.append(
                f"{name}: the {member} is not used: the scene has the pose, and a velocity needs two of them at different times"
            )
    return found
