"""Train the head that reads the lines of drawn lettering, from free fonts, and write its file and its figures.

Run as: make train-lines (Debian packages: `scripts/lettering/faces.py`; pip install torch). The features of each line are what
`line_model.onnx` sees in it; only the head is trained, by connectionist temporal classification (Graves et al. 2006).
"""

from __future__ import annotations

import argparse
import itertools
import logging
import math
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))

from lettering.faces import Face, faces
from lettering.line_samples import CHARACTERS, PRINTABLE, Lines, Sample
from lettering.texts import words

from spatial.understanding.sheet.outlined.line_head import HEAD, Head
from spatial.understanding.sheet.outlined.line_reader import STEP, network

HELD_OUT = (
    "Lato-Regular", "Lato-Italic", "Lato-Bold", "FreeSans", "romans", "NotoSans-CondensedMedium", "rowmans",
    "LiberationSansNarrow-Regular", "EMSTech", "OpenGostTypeA-Regular",
)  # fmt: skip
"""Fonts that nothing is learned from, to measure on."""
HIDDEN, BATCH, RATE = 320, 64, 2e-3
POOL, TOGETHER = 400, 4
"""Lines among which those of like length are found, and lines that the network sees at once."""
SEED = 12
NUMBER = {sign: place + 1 for place, sign in enumerate(CHARACTERS)}

Features = NDArray[np.float16]
Known = tuple[Features, str]
"""(steps, f) features of a line, and what it says."""


def seen(lines: Iterable[Sample], count: int) -> list[Known]:
    """What the network sees in so many lines."""
    running, found = network(), list[Known]()
    following = iter(lines)
    while len(found) < count:
        pool = sorted(itertools.islice(following, POOL), key=lambda line: line.picture.shape[1])
        for begin in range(0, len(pool), TOGETHER):
            part = pool[begin : begin + TOGETHER]
            _, features = running.run([1 - line.picture / np.float32(127.5) for line in reversed(part)])
            found += [
                (each[: -(-line.picture.shape[1] // STEP)].astype(np.float16), line.said)
                for line, each in zip(reversed(part), features, strict=True)
            ]
        print(f"{len(found)} lines seen", flush=True)
    return found


class Trained(nn.Module):
    """As `line_head.Head`."""

    def __init__(self, features: int) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(features, affine=False)
        self.first = nn.Conv1d(features, HIDDEN, 3, padding=1)
        self.second = nn.Conv1d(HIDDEN, HIDDEN, 3, padding=1)
        self.last = nn.Conv1d(HIDDEN, len(CHARACTERS) + 1, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, steps: Tensor, counts: Tensor) -> Tensor:
        """(n, c, steps) scores. steps: (n, f, steps); counts: (n,) steps of each line."""
        within = (torch.arange(steps.shape[2])[None, :] < counts[:, None]).float()[:, None, :]
        hidden = torch.relu(self.first(self.norm(steps) * within)) * within
        hidden = hidden + torch.relu(self.second(self.drop(hidden)))
        scores: Tensor = self.last(self.drop(hidden))
        return scores

    def head(self) -> Head:
        """As it is read without PyTorch."""
        weights = {name: value.detach().numpy() for name, value in self.state_dict().items()}
        return Head(
            weights["norm.running_mean"], 1 / np.sqrt(weights["norm.running_var"] + self.norm.eps),
            _flat(weights["first.weight"]), weights["first.bias"], _flat(weights["second.weight"]), weights["second.bias"],
            weights["last.weight"][:, :, 0].T, weights["last.bias"], ("", *CHARACTERS),
        )  # fmt: skip


def _flat(kernel: Any) -> Any:
    return np.concatenate([kernel[:, :, place].T for place in range(kernel.shape[2])], axis=0)


def batch_of(lines: list[Known]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Features, classes of all characters, characters of each line, steps of each line."""
    steps = np.zeros((len(lines), lines[0][0].shape[1], max(len(features) for features, _ in lines)), np.float32)
    for place, (features, _) in enumerate(lines):
        steps[place, :, : len(features)] = features.T
    return (
        torch.from_numpy(steps), torch.tensor([NUMBER[sign] for _, said in lines for sign in said]),
        torch.tensor([len(said) for _, said in lines]), torch.tensor([len(features) for features, _ in lines]),
    )  # fmt: skip


def train(lines: list[Known], epochs: int, held_out: list[Known]) -> Head:
    """The head after so many rounds over the lines, at a rate that falls as a cosine."""
    torch.manual_seed(SEED)
    random = np.random.default_rng(SEED)
    lines = sorted((line for line in lines if len(line[0]) >= len(line[1])), key=lambda line: len(line[0]))
    batches = [lines[begin : begin + BATCH] for begin in range(0, len(lines), BATCH)]
    trained = Trained(lines[0][0].shape[1])
    adam = torch.optim.AdamW(trained.parameters(), lr=RATE, weight_decay=0.01)
    step, steps = 0, epochs * len(batches)
    for epoch in range(epochs):
        trained.train()
        for place in random.permutation(len(batches)).tolist():
            step += 1
            for group in adam.param_groups:
                group["lr"] = RATE * min(step / 100, 1.0) * (0.02 + 0.49 * (1 + math.cos(math.pi * step / steps)))
            features, classes, lengths, counts = batch_of(batches[place])
            chances = trained(features, counts).log_softmax(1).permute(2, 0, 1)
            loss = nn.functional.ctc_loss(chances, classes, counts, lengths, blank=0, zero_infinity=True)
            adam.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(trained.parameters(), 5.0)
            adam.step()
        trained.eval()
        print(f"round {epoch + 1}: {figures(trained.head(), held_out)}", flush=True)
    return trained.head()


def figures(head: Head, lines: list[Known]) -> str:
    """Lines read without a fault, blanks left out, and characters wrong, of all."""
    right = wrong = signs = 0
    for features, said in lines:
        best = head.chances(features.astype(np.float32), len(features)).argmax(axis=1)
        read = "".join(head.signs[each] for each in best[np.diff(best, prepend=0) != 0]).replace(" ", "")
        wanted = said.replace(" ", "")
        right, wrong, signs = right + (read == wanted), wrong + _distance(wanted, read), signs + len(wanted)
    return f"{right / len(lines):.4f} of {len(lines)} lines right, {wrong / signs:.4f} of {signs} characters wrong"


def _distance(one: str, two: str) -> int:
    row = list(range(len(two) + 1))
    for place, sign in enumerate(one):
        before, row = row, [place + 1]
        for at, other in enumerate(two):
            row.append(min(row[-1] + 1, before[at + 1] + 1, before[at] + (sign != other)))
    return row[-1]


def lines_of(found: list[Face], held_out: bool, seed: int) -> Lines:
    """Lines in the fonts that are held out, or in the others."""
    return Lines([face for face in found if (face.name in HELD_OUT) == held_out], words(), seed)


def main() -> None:
    """Train, measure, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=56_000)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--svg-fonts", type=Path, help="folder of stroke fonts of Inkscape (extensions/svg_fonts)")
    parser.add_argument("--output", type=Path, default=HEAD, help="where the head is written")
    options = parser.parse_args()
    logging.getLogger("fontTools").setLevel(logging.ERROR)
    found = list(faces(PRINTABLE, options.svg_fonts))
    print(f"{len(found)} fonts, {sum(face.has_strokes for face in found)} of strokes", flush=True)
    held_out = seen(lines_of(found, True, 7), 800)
    head = train(seen(lines_of(found, False, SEED), options.lines), options.epochs, held_out)
    head.write(options.output)
    print(f"{options.output.name}: {options.output.stat().st_size} bytes; {figures(head, held_out)}")


if __name__ == "__main__":
    main()
