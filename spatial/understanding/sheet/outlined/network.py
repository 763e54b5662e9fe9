"""The classifier of drawn glyphs: one hidden layer, in plain numpy. `model.md` says what it was trained on."""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from spatial.understanding.sheet.outlined.features import Floats

MODEL: Final = Path(__file__).with_name("model.npz")


@dataclass(frozen=True, slots=True)
class Network:
    """c classes, f features, h hidden units."""

    mean: Floats
    """(f,)"""
    scale: Floats
    """(f,)"""
    first: Floats
    """(f, h)"""
    first_bias: Floats
    """(h,)"""
    second: Floats
    """(h, c)"""
    second_bias: Floats
    """(c,)"""
    extents: Floats
    """(c, 2) how low and how high the glyph of each class usually reaches, in capital heights over the baseline."""
    spread: Floats
    """(c,) how much that differs from font to font."""

    def scores(self, rows: Floats) -> Floats:
        """(n, c) logarithms of what is proportional to the chance of each class. rows: (n, f)."""
        given = rows - self.mean
        given *= self.scale
        hidden = given @ self.first
        hidden += self.first_bias
        scores: Floats = np.maximum(hidden, 0.0, out=hidden) @ self.second
        scores += self.second_bias
        return scores

    def chances(self, rows: Floats) -> Floats:
        """(n, c) the chance of each class. rows: (n, f)."""
        powers = self.scores(rows)
        powers -= powers.max(axis=1, keepdims=True)
        np.exp(powers, out=powers)
        powers /= powers.sum(axis=1, keepdims=True)
        return powers

    def write(self, path: Path) -> None:
        """Write the model with the precision that it is read with."""
        arrays = {each.name: getattr(self, each.name).astype(np.float16) for each in fields(self)}
        np.savez_compressed(path, **arrays)

    def rounded(self) -> Network:
        """As it is after it was written and read."""
        return Network(*(getattr(self, each.name).astype(np.float16).astype(np.float32) for each in fields(self)))


@cache
def network() -> Network:
    """The trained classifier."""
    return read(MODEL)


def read(path: Path) -> Network:
    """A classifier that was written."""
    with np.load(path, allow_pickle=False) as arrays:
        return Network(*(arrays[each.name].astype(np.float32) for each in fields(Network)))
