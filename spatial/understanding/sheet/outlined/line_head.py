"""What the steps of a line are as lettering of drawings: a head of our own on the network that reads lines. `line_head.md` is its card.

The network knows the characters of many scripts from pictures of all kinds; its features, at each step, are put to the characters that
sheets are lettered with, as free stroke and outline fonts draw them: Ø before a digit, signs of ISO 1101 and ASME Y14.5, Cyrillic letters.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from spatial.understanding.sheet.outlined.features import Floats

HEAD: Final = Path(__file__).with_name("line_head.npz")
BESIDE: Final = 1
"""Steps before and behind each that a layer sees."""


@dataclass(frozen=True, slots=True)
class Head:
    """f features, h hidden units, c classes: none, the characters, a blank between words."""

    mean: Floats
    """(f,)"""
    scale: Floats
    """(f,)"""
    first: Floats
    """(3 f, h) of the step before, the step itself and the next one."""
    first_bias: Floats
    """(h,)"""
    second: Floats
    """(3 h, h)"""
    second_bias: Floats
    """(h,)"""
    last: Floats
    """(h, c)"""
    last_bias: Floats
    """(c,)"""
    signs: tuple[str, ...]
    """(c,) the character of each class; empty for none."""

    def chances(self, features: Floats, steps: int) -> Floats:
        """(steps, c) the chance of each class along one line. features: (n, f) of which the first `steps` are of its picture."""
        seen = (features[:steps] - self.mean) * self.scale
        hidden = np.maximum(_with_neighbours(seen) @ self.first + self.first_bias, 0.0)
        hidden += np.maximum(_with_neighbours(hidden) @ self.second + self.second_bias, 0.0)
        powers = hidden @ self.last + self.last_bias
        powers -= powers.max(axis=1, keepdims=True)
        np.exp(powers, out=powers)
        powers /= powers.sum(axis=1, keepdims=True)
        chances: Floats = powers
        return chances

    def write(self, path: Path) -> None:
        """Write the head with the precision that it is read with."""
        numbers = [each.name for each in fields(self) if each.name != "signs"]
        arrays = {name: getattr(self, name).astype(np.float16) for name in numbers}
        np.savez_compressed(path, signs=np.array("".join(self.signs)), **arrays)


def _with_neighbours(steps: Floats) -> Floats:
    """(n, 3 f) each step (n, f) between the one before it and the next one; zeros beyond the ends."""
    padded = np.pad(steps, ((BESIDE, BESIDE), (0, 0)))
    joined: Floats = np.concatenate([padded[: len(steps)], steps, padded[2 * BESIDE :]], axis=1)
    return joined


def read(path: Path = HEAD) -> Head:
    """The head in a file. Raises: OSError."""
    with np.load(path, allow_pickle=False) as data:
        numbers = {name: data[name].astype(np.float32) for name in data.files if name != "signs"}
        return Head(signs=("", *str(data["signs"])), **numbers)


@cache
def head() -> Head:
    """The head, loaded once."""
    return read()
