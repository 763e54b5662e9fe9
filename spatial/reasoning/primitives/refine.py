"""Orthogonal least squares for one surface: Gauss-Newton on the signed distances (Shakarji 1998, NIST J. Res. 103, 633-641)."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Final

import numpy as np

from spatial.reasoning.primitives.surfaces import Surface
from spatial.reasoning.scene.model import Array

STEPS: Final = 8
"""Most Gauss-Newton steps; the convergence is quadratic next to small residuals."""

CONVERGED: Final = 1e-9
"""Change of the parameters, in scales of the cloud, at which the steps end; the next change would be its square."""

DAMPING: Final = 1e-9
"""Part of the diagonal that is added to the normal equations, against patches that leave a parameter open."""


def refine(surface: Surface, points: Array, steps: int = STEPS) -> Surface:
    """The surface of the same kind next to the points. points: (n, 3), n at least the number of parameters."""
    if surface.kind == "plane":
        return _plane(surface, points)
    for _ in range(steps):
        jacobian, frame = _jacobian(surface, points)
        step = _solved(jacobian, -surface.distances(points))
        surface = _moved(surface, step, frame, points)
        if np.abs(step).max() < CONVERGED:
            break
    return surface


def _plane(surface: Surface, points: Array) -> Surface:
    origin = points.mean(axis=0)
    normal = np.linalg.eigh((points - origin).T @ (points - origin))[1][:, 0]
    return replace(surface, point=origin, axis=normal if normal @ surface.axis >= 0 else -normal)


def _jacobian(surface: Surface, points: Array) -> tuple[Array, Array]:
    """Derivatives of the signed distances by the parameters, and the axes (u, v) that the axis is turned along."""
    away = points - surface.point
    if surface.kind == "plane":
        frame = _across(surface.axis)
        return np.column_stack([away @ frame.T, -np.ones(len(points))]), frame
    if surface.kind == "sphere":
        lengths = np.sqrt(np.einsum("ni,ni->n", away, away))[:, None].clip(1e-300)
        return np.column_stack([-away / lengths, -np.ones(len(points))]), np.eye(3)
    frame = _across(surface.axis)
    along = away @ surface.axis
    across = away @ frame.T
    rho = np.sqrt(np.einsum("ni,ni->n", across, across)).clip(1e-300)
    outward = across / rho[:, None]
    if surface.kind == "cylinder":
        return np.column_stack([-outward, -along[:, None] * outward, -np.ones(len(points))]), frame
    cosine, sine = np.cos(surface.size), np.sin(surface.size)
    turning = -(along * cosine + rho * sine)[:, None] * outward
    columns = [-outward * cosine, np.full(len(points), sine), turning, -(rho * sine + along * cosine)]
    return np.column_stack(columns), frame


def _moved(surface: Surface, step: Array, frame: Array, points: Array) -> Surface:
    """The surface after one step; the point of a cylinder's axis stays next to the points."""
    if surface.kind == "sphere":
        return replace(surface, point=surface.point + step[:3], size=abs(surface.size + float(step[3])))
    if surface.kind == "cylinder":
        axis = _unit(surface.axis + step[2:4] @ frame)
        point: Array = surface.point + step[:2] @ frame
        point = point + ((points.mean(axis=0) - point) @ axis) * axis
        return Surface("cylinder", point, axis, abs(surface.size + float(step[4])))
    axis = _unit(surface.axis + step[3:5] @ frame)
    apex: Array = surface.point + step[:2] @ frame + step[2] * surface.axis
    angle = float(np.clip(surface.size + step[5], 1e-6, np.pi / 2 - 1e-6))
    return Surface("cone", apex, axis, angle)


def _solved(jacobian: Array, wanted: Array) -> Array:
    normal = jacobian.T @ jacobian
    normal.flat[:: len(normal) + 1] *= 1 + DAMPING
    try:
        found = np.asarray(np.linalg.solve(normal, jacobian.T @ wanted))
    except np.linalg.LinAlgError:
        found = np.asarray(np.linalg.lstsq(jacobian, wanted, rcond=None)[0])
    return np.asarray(np.clip(found, -1, 1), dtype=np.float64)


def _across(axis: Array) -> Array:
    """(2, 3) two unit vectors that are perpendicular to the axis and to each other."""
    x, y, z = (float(value) for value in axis)
    if abs(x) <= min(abs(y), abs(z)):
        first = (0.0, z, -y)
    elif abs(y) <= abs(z):
        first = (-z, 0.0, x)
    else:
        first = (y, -x, 0.0)
    length = math.hypot(*first)
    a, b, c = (value / length for value in first)
    return np.array([[a, b, c], [y * c - z * b, z * a - x * c, x * b - y * a]])


def _unit(vector: Array) -> Array:
    found: Array = vector / np.linalg.norm(vector)
    return found
