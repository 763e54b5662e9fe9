"""How alike texts and numbers are, as distances from 0 (equal) to 1."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Hashable, Sequence
from typing import Final

import numpy as np
from scipy.sparse import csr_matrix

from spatial.reasoning.scene.model import Array

GRAM: Final = 2
"""Letters of an n-gram: labels are short, and pairs still notice one changed letter."""

LARGE: Final = 4_000_000
"""Most cells of a table of distances, about 32 MB each; larger tables are cut by the caller."""


def normal_text(text: str) -> str:
    """Text without differences of spacing, case and Unicode form."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def text_distances(previous: Sequence[str], current: Sequence[str]) -> Array:
    """(n, m) 1 - Dice coefficient of the letter pairs of two texts; two empty texts are equal.

    Source: L. R. Dice, "Measures of the amount of ecologic association between species", Ecology 26 (1945).
    """
    rows, row_of = _distinct(previous)
    columns, column_of = _distinct(current)
    grams: dict[Hashable, int] = {}
    first, second = _counts(rows, grams), _counts(columns, grams)
    shared = _shared(first, second, len(grams))
    sizes = np.array([sum(each.values()) for each in first])[:, None] + np.array(
        [sum(each.values()) for each in second]
    )
    distances = 1.0 - 2.0 * shared / np.maximum(sizes, 1)
    distances[sizes == 0] = 0.0
    found: Array = np.clip(distances, 0.0, 1.0)[np.ix_(row_of, column_of)]
    return found


def number_distances(previous: Sequence[float | None], current: Sequence[float | None]) -> Array:
    """(n, m) |a - b| / max(|a|, |b|); 0 where both are absent, 1 where one is."""
    first = np.array([np.nan if each is None else each for each in previous], dtype=np.float64)[:, None]
    second = np.array([np.nan if each is None else each for each in current], dtype=np.float64)[None, :]
    size = np.maximum(np.maximum(np.abs(first), np.abs(second)), np.finfo(np.float64).tiny)
    found: Array = np.minimum(np.abs(first - second) / size, 1.0)
    found[np.isnan(first) & np.isnan(second)] = 0.0
    found[np.isnan(first) ^ np.isnan(second)] = 1.0
    return found


def difference(previous: Sequence[Hashable], current: Sequence[Hashable]) -> Array:
    """(n, m) 0 where two values are equal and 1 where they are not."""
    codes: dict[Hashable, int] = {}
    first = np.array([codes.setdefault(each, len(codes)) for each in previous], dtype=np.intp)
    second = np.array([codes.setdefault(each, len(codes)) for each in current], dtype=np.intp)
    found: Array = np.not_equal(first[:, None], second[None, :]).astype(np.float64)
    return found


def distances(previous: Array, current: Array, reach: Array | float) -> Array:
    """(n, m) distance of positions (n, k) and (m, k) as a part of `reach`, at most 1; 1 where one position is nan."""
    gaps = np.sqrt(((previous[:, None, :] - current[None, :, :]) ** 2).sum(axis=2))
    found: Array = np.minimum(gaps / reach, 1.0)
    absent = np.isnan(previous.sum(axis=1)), np.isnan(current.sum(axis=1))
    found[np.isnan(found)] = 1.0
    found[np.outer(*absent)] = 0.0
    return found


def _distinct(texts: Sequence[str]) -> tuple[list[str], list[int]]:
    places: dict[str, int] = {}
    order = [places.setdefault(normal_text(text), len(places)) for text in texts]
    return list(places), order


def _counts(texts: Sequence[str], grams: dict[Hashable, int]) -> list[Counter[int]]:
    found = []
    for text in texts:
        padded = f" {text} " if text else ""
        pieces = (padded[place : place + GRAM] for place in range(len(padded) - GRAM + 1))
        found.append(Counter(grams.setdefault(piece, len(grams)) for piece in pieces))
    return found


def _shared(previous: Sequence[Counter[int]], current: Sequence[Counter[int]], width: int) -> Array:
    """(n, m) number of n-grams in common; each repetition of one counts as an n-gram of its own."""
    most = max((number for each in (*previous, *current) for number in each.values()), default=0)
    total = np.zeros((len(previous), len(current)))
    for level in range(1, most + 1):
        first, second = _presence(previous, width, level), _presence(current, width, level)
        total += (first @ second.T).toarray()
    return total


def _presence(counts: Sequence[Counter[int]], width: int, level: int) -> csr_matrix:
    """(n, width) 1 where a text has an n-gram at least `level` times."""
    cells = [(row, gram) for row, each in enumerate(counts) for gram, number in each.items() if number >= level]
    rows, columns = zip(*cells, strict=True) if cells else ((), ())
    return csr_matrix((np.ones(len(cells)), (rows, columns)), shape=(len(counts), max(width, 1)))
