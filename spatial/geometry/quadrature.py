"""Adaptive integration of vector-valued functions over many intervals at once.

Gauss-Kronrod (QUADPACK, Piessens et al. 1983): all nodes give the value, every second of them another one, and the
difference estimates the error. The estimate decides where to halve and is not returned: it is no bound
(docs/decisions/0041-error-bounds.md).
Intervals that miss the tolerance are halved; all intervals of one round are evaluated in one call.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Index = NDArray[np.intp]
Integrand = Callable[[Index, Array], Array]
"""f(interval (m,), t (m, n)) -> (m, n, k): k integrands for each node of each interval."""

MAX_HALVINGS: Final = 14
"""Rounds of halving after which an interval is taken as it is: a kink is then shut in 1/16384 of its interval."""


MAX_GROWTH: Final = 64
"""Times as many intervals as there were at first, at which the integrand is taken for one that has no integral."""


@dataclass(frozen=True)
class Rule:
    """A Gauss-Kronrod pair on [0, 1]."""

    nodes: Array
    weights: Array
    """Kronrod's."""
    difference: Array
    """Kronrod's less Gauss's."""


def _rule(nodes: list[float], weights: list[float], gauss_weights: list[float]) -> Rule:
    """From the half on [0, 1] of the rule on [-1, 1], outermost node first."""
    kronrod = np.array([*weights[:-1], *weights[::-1]]) / 2.0
    gauss_only = np.array([*gauss_weights[:-1], *gauss_weights[::-1]]) / 2.0
    whole = np.array([*(-node for node in nodes[:-1]), *nodes[::-1]])
    return Rule((whole + 1.0) / 2.0, kronrod, kronrod - gauss_only)


KRONROD_15: Final = _rule(
    [0.991455371120812639206854697526329, 0.949107912342758524526189684047851, 0.864864423359769072789712788640926,
     0.741531185599394439863864773280788, 0.586087235467691130294144691693319, 0.405845151377397166906606412076961,
     0.207784955007898467600689403773245, 0.0],
    [0.022935322010529224963732008058970, 0.063092092629978553290700663189204, 0.104790010322250183839876322541518,
     0.140653259715525918745189590510238, 0.169004726639267902826583426598550, 0.190350578064785409913256402421014,
     0.204432940075298892414161999234649, 0.209482141084727828012999174891714],
    [0.0, 0.129484966168869693270611432679082, 0.0, 0.279705391489276667901467771423780,
     0.0, 0.381830050505118944950369775488975, 0.0, 0.417959183673469387755102040816327],
)  # fmt: skip
"""7 Gauss nodes within 15."""

KRONROD_7: Final = _rule(
    [0.960491268708020283423507092629080, 0.774596669241483377035853079956480, 0.434243749346802558002071502844628, 0.0],
    [0.104656226026467265193823857192073, 0.268488089868333440728569280666710, 0.401397414775962222905051818618432,
     0.450916538658474142345110087045571],
    [0.0, 5.0 / 9.0, 0.0, 8.0 / 9.0],
)  # fmt: skip
"""3 Gauss nodes within 7: enough where the intervals are short already."""


@cache
def gauss(count: int) -> tuple[Array, Array]:
    """Nodes and weights of Gauss-Legendre quadrature on [0, 1]."""
    nodes, weights = np.polynomial.legendre.leggauss(count)
    return (nodes + 1.0) / 2.0, weights / 2.0


def error_estimate(difference: Array) -> Array:
    """What a Gauss/Kronrod difference says about the error of the Kronrod value (QUADPACK's qk15 heuristic)."""
    size = np.abs(difference)
    return np.minimum(size, (200.0 * size) ** 1.5)


def integrate(function: Integrand, start: Array, stop: Array, tolerance: float, rule: Rule = KRONROD_15) -> Array:
    """Integrals over all intervals [start, stop]: (n, k). `tolerance` is the absolute error that is allowed in each interval.

    NaN where halving does not help, as where a surface is torn apart.
    """
    interval, most = np.arange(len(start)), MAX_GROWTH * (len(start) + MAX_HALVINGS)
    total: Array | None = None
    for halving in range(MAX_HALVINGS + 1):
        width = stop - start
        values = function(interval, start[:, None] + width[:, None] * rule.nodes)
        error = error_estimate(width[:, None] * np.einsum("n,mnk->mk", rule.difference, values)).max(
            axis=1, initial=0.0
        )
        rough = error > tolerance if halving < MAX_HALVINGS else np.zeros(len(start), dtype=bool)
        parts = width[:, None] * np.einsum("n,mnk->mk", rule.weights, values)
        if total is None:
            total = np.zeros((len(start), values.shape[2]))
        np.add.at(total, interval[~rough], parts[~rough])
        if not rough.any():
            break
        if rough.sum() > most:
            total[interval[rough]] = np.nan
            break
        start, stop, interval = _halved(start[rough], stop[rough], interval[rough])
    assert total is not None
    return total


def _halved(start: Array, stop: Array, interval: Index) -> tuple[Array, Array, Index]:
    middle = (start + stop) / 2.0
    return np.concatenate([start, middle]), np.concatenate([middle, stop]), np.concatenate([interval, interval])


def integrate_fixed(function: Integrand, start: Array, stop: Array, count: int) -> Array:
    """The same with `count` Gauss nodes and no halving: exact for polynomials of degree 2 count - 1."""
    nodes, weights = gauss(count)
    width = stop - start
    values = function(np.arange(len(start)), start[:, None] + width[:, None] * nodes)
    total: Array = width[:, None] * np.einsum("n,mnk->mk", weights, values)
    return total
