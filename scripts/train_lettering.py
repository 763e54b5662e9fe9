"""Train the classifier of drawn lettering from free fonts, and write its file and its figures.

Run as: make train (Debian packages: scripts/lettering/fonts.py). Deterministic up to the rounding of the machine's linear algebra.
"""

from __future__ import annotations

import argparse
import logging
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).parent))

from lettering.fonts import Glyph, glyphs
from lettering.samples import Samples, samples

from spatial.understanding.sheet.outlined.classes import CLASSES
from spatial.understanding.sheet.outlined.features import COUNT
from spatial.understanding.sheet.outlined.network import MODEL, Network, read

HIDDEN = 320
BATCH = 256
RATE = 1.5e-3
HELD_OUT = (
    "Lato-Regular",
    "Lato-Italic",
    "FreeSans",
    "romans",
    "NotoSans-CondensedMedium",
    "rowmans",
    "LiberationSansNarrow-Regular",
)
"""Fonts that nothing is learned from, to measure on."""

Floats = NDArray[np.float32]


def main() -> None:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=2, help="rounds over all glyphs, each drawn differently")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--rate", type=float, default=RATE, help="rate of learning at its height")
    parser.add_argument("--start", type=Path, help="a model of the same classes to learn further from")
    parser.add_argument("--output", type=Path, default=MODEL, help="where the model is written")
    options = parser.parse_args()
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    known = list(glyphs(CLASSES[1:]))
    learned = [glyph for glyph in known if glyph.font not in HELD_OUT]
    kept_out = [glyph for glyph in known if glyph.font in HELD_OUT]
    rounds = [samples(learned, seed) for seed in range(options.rounds)]
    data = np.concatenate([each.features for each in rounds])
    classes = np.concatenate([each.classes for each in rounds])
    print(f"{len(learned)} glyphs of {len({each.font for each in learned})} fonts, {len(data)} samples", flush=True)
    start = replace(read(options.start), **extents(learned)) if options.start else _fresh(data, extents(learned))
    network = train(start, data, classes, options.epochs, options.rate, samples(kept_out, 1000))
    network.write(options.output)
    print(
        f"{options.output.name}: {options.output.stat().st_size} bytes; {figures(network.rounded(), samples(kept_out, 1001), kept_out)}"
    )


def _fresh(data: NDArray[np.float16], reach: dict[str, Floats]) -> Network:
    """A network that has learned nothing yet."""
    random = np.random.default_rng(7)
    mean, spread = data.astype(np.float32).mean(axis=0), data[::7].astype(np.float32).std(axis=0) + 0.02
    return Network(
        mean, 1.0 / spread,
        random.normal(0, np.sqrt(2.0 / COUNT), (COUNT, HIDDEN)).astype(np.float32), np.zeros(HIDDEN, np.float32),
        random.normal(0, np.sqrt(1.0 / HIDDEN), (HIDDEN, len(CLASSES))).astype(np.float32), np.zeros(len(CLASSES), np.float32),
        **reach,
    )  # fmt: skip


def train(
    network: Network, data: NDArray[np.float16], classes: NDArray[np.int64], epochs: int, peak: float, held_out: Samples
) -> Network:
    """The network with one hidden layer, by Adam with a rate that falls as a cosine."""
    random = np.random.default_rng(7)
    weights = [network.first, network.first_bias, network.second, network.second_bias]
    moments = [(np.zeros_like(each), np.zeros_like(each)) for each in weights]
    steps, step = epochs * (len(data) // BATCH), 0
    for epoch in range(epochs):
        order = random.permutation(len(data))
        for begin in range(0, len(order) - BATCH + 1, BATCH):
            step += 1
            rows = order[begin : begin + BATCH]
            rate = peak * 0.5 * (1.0 + np.cos(np.pi * step / steps)) * min(step / 200.0, 1.0)
            slopes = gradients(network, data[rows].astype(np.float32), classes[rows], random)
            for weight, slope, moment in zip(weights, slopes, moments, strict=True):
                descend(weight, slope, moment, rate, step)
        right = float((network.scores(held_out.features.astype(np.float32)).argmax(axis=1) == held_out.classes).mean())
        print(f"epoch {epoch + 1}: {right:.4f} of the held-out fonts right", flush=True)
    return network


def descend(weight: Floats, slope: Floats, moments: tuple[Floats, Floats], rate: float, step: int) -> None:
    """One step of Adam with weight decay, in place."""
    first, second = moments
    first += 0.1 * (slope - first)
    second += 0.001 * (slope * slope - second)
    weight -= rate * (first / (1 - 0.9**step) / (np.sqrt(second / (1 - 0.999**step)) + 1e-8) + 1e-4 * weight)


def extents(learned: list[Glyph]) -> dict[str, Floats]:
    """How low and how high the glyphs of each class usually reach, and how much that differs."""
    reaches: dict[str, list[tuple[float, float]]] = {sign: [] for sign in CLASSES}
    for glyph in learned:
        heights = (
            np.concatenate([points[:, 1] for points in glyph.outlines])
            if glyph.lines is None
            else glyph.lines[:, [1, 3]]
        )
        reaches[glyph.sign].append((float(heights.min()), float(heights.max())))
    usual = np.array(
        [np.median(reaches[sign], axis=0) if reaches[sign] else (0.0, 1.0) for sign in CLASSES], np.float32
    )
    spread = [
        np.median(np.abs(np.array(reaches[sign]) - usual[place])) if reaches[sign] else 1.0
        for place, sign in enumerate(CLASSES)
    ]
    return {"extents": usual, "spread": np.array(spread, np.float32)}


def gradients(network: Network, rows: Floats, classes: NDArray[np.int64], random: np.random.Generator) -> list[Floats]:
    """Slopes of the cross entropy, with a tenth of the hidden units left out."""
    seen = (rows - network.mean) * network.scale
    hidden = np.maximum(seen @ network.first + network.first_bias, 0)
    kept = (random.random(hidden.shape, dtype=np.float32) > 0.1) / np.float32(0.9)
    hidden *= kept
    scores = hidden @ network.second + network.second_bias
    scores -= scores.max(axis=1, keepdims=True)
    chances = np.exp(scores)
    chances /= chances.sum(axis=1, keepdims=True)
    chances[np.arange(len(rows)), classes] -= 1.0
    chances /= len(rows)
    back = (chances @ network.second.T) * (hidden > 0) * kept
    return [seen.T @ back, back.sum(axis=0), hidden.T @ chances, chances.sum(axis=0)]


def figures(network: Network, held_out: Samples, glyphs_: list[Glyph]) -> str:
    """How often the network is right over fonts that it never saw."""
    right = network.scores(held_out.features.astype(np.float32)).argmax(axis=1) == held_out.classes
    return f"{right.mean():.4f} of {len(right)} samples of {len({each.font for each in glyphs_})} held-out fonts"


if __name__ == "__main__":
    main()
