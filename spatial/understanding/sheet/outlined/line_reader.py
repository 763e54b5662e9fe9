"""Pictures of single lines of lettering, read by a network that knows the characters of many scripts. `line_model.md` says which.

onnxruntime, which runs it, is imported when the first line is read: a sheet that has its lettering as text does not pay for it.

Glossary
  step   a place along the line for which the network gives the chance of each character; eight columns of its picture.
  blank  the class that says that no character begins at a step (connectionist temporal classification, Graves et al. 2006).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from spatial.understanding.sheet.outlined.both_heads import together
from spatial.understanding.sheet.outlined.ideographs import PLAIN, is_ideograph
from spatial.understanding.sheet.outlined.line_head import head
from spatial.understanding.sheet.outlined.read_character import ReadCharacter

MODEL: Final = Path(__file__).with_name("line_model.onnx")
HEIGHT: Final = 48
"""Pixels of a line that the network sees: with all pictures of this height nothing is lost in resizing."""
STEP: Final = 8
"""Columns, at that height, of one step."""
ROUND, SHORTEST = 32, 96
"""Columns whose multiples lines are filled up to, so that few shapes occur, and how long the shortest are made."""
COLUMNS: Final = 512
"""Columns of the lines that are read at once: more take more memory and are hardly faster."""
LONGEST: Final = 8_192
"""Columns of the longest line; a longer one is not read."""
MOST: Final = 150_000
"""Columns of all lines of one call, twice what the fullest known sheet has: they take some six seconds."""
LIKELY: Final = 0.6
"""Chance of an ideograph from which a line is read as one with ideographs."""
OTHERS: Final = 4
"""Next best characters that are reported of each."""
UNLIKELY: Final = 1e-7
"""Chance of a character that is not looked at where there are better ones: of six thousand most are below it."""
SAME: Final = {"∅": "Ø", "⌀": "Ø"}
"""Characters that are drawn as others are."""
PRINTED: Final = "".join(map(chr, range(0x21, 0x7F)))
WIDE: Final = 0xFEE0
"""From a character of ASCII to the same one of East Asian width (Unicode, Halfwidth and Fullwidth Forms)."""

Picture = NDArray[np.uint8]
"""(h, w) grey values, dark lettering on white 255, read from left to right; capitals about 0.65 of the height read best."""
Floats = NDArray[np.float32]


class LineReaderUnavailable(Exception):
    """The network cannot be run, or not for so much; the message is the reason in one sentence."""


Line = list[ReadCharacter]


def read_lines(pictures: Sequence[Picture]) -> list[Line]:
    """The characters of each line in any script, from left to right; none where there is none to see or the line is too long.

    What is drawn alike is read once: a panel of circuit boards has every line as often as boards.

    What the network does not know (Cyrillic letters, shapes that are no characters) comes out as what looks like it, or is passed over
    without a trace: the caller compares places with what is drawn.

    Raises: LineReaderUnavailable.
    """
    return [of_any for of_any, _ in _read_once(pictures)]


def read_lettering(pictures: Sequence[Picture]) -> list[Line]:
    """As `read_lines`, of the lettering of drawings: what the head of our own sees (`line_head.py`), and the other one where it sees
    ideographs, which ours does not know.

    Raises: LineReaderUnavailable.
    """
    return [of_any if _has_ideographs(of_any) else lettering for of_any, lettering in _read_once(pictures)]


def _has_ideographs(line: Line) -> bool:
    return any(is_ideograph(each.sign) and each.sign not in PLAIN and each.chance >= LIKELY for each in line)


def _read_once(pictures: Sequence[Picture]) -> list[tuple[Line, Line]]:
    """What both heads see in each line; those that are drawn alike are read once."""
    drawn = [(picture.shape, picture.tobytes()) for picture in pictures]
    different = dict(zip(drawn, pictures, strict=True))
    read = dict(zip(different, _read(list(different.values())), strict=True))
    return [read[each] for each in drawn]


def _read(pictures: list[Picture]) -> list[tuple[Line, Line]]:
    scaled = [_scaled(picture) for picture in pictures]
    if sum(line.shape[1] for line in scaled) > MOST:
        raise LineReaderUnavailable("it has more lines than are read as lines")
    running = network()
    own = head()
    lines: list[tuple[Line, Line]] = [([], []) for _ in pictures]
    for places in _batches([line.shape[1] for line in scaled]):
        every = running.run([scaled[place] for place in places])
        for place, chances, features in zip(places, *every, strict=True):
            columns, width = pictures[place].shape[1] / scaled[place].shape[1] * STEP, pictures[place].shape[1]
            lettering = own.chances(features, -(-scaled[place].shape[1] // STEP))
            of_any = _characters(chances, columns, width, running.signs)
            lines[place] = of_any, together(_characters(lettering, columns, width, own.signs), of_any, columns)
    return lines


def _scaled(picture: Picture) -> Floats:
    """(HEIGHT, n) from -1, black, to 1, white."""
    height, width = picture.shape
    columns = max(round(HEIGHT * width / height), 1)
    resized = Image.fromarray(picture).resize((columns, HEIGHT), Image.Resampling.BILINEAR)
    return np.asarray(resized, np.float32) / np.float32(127.5) - np.float32(1)


def _batches(widths: list[int]) -> Iterator[list[int]]:
    """Places of lines that are filled up to the same number of columns. What is read of a line does not depend on the others."""
    columns = [_filled(width) for width in widths]
    order = sorted((place for place, each in enumerate(columns) if each <= LONGEST), key=columns.__getitem__)
    batch: list[int] = []
    for place in order:
        if batch and (columns[batch[0]] != columns[place] or (len(batch) + 1) * columns[place] > COLUMNS):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _filled(width: int) -> int:
    return max(-(-width // ROUND) * ROUND, SHORTEST)


def _characters(chances: Floats, columns: float, width: int, signs: Sequence[str]) -> Line:
    """chances: (steps, c); columns: of the picture, of one step; width: columns of the picture."""
    best = chances.argmax(axis=1)
    surest = chances[np.arange(len(best)), best]
    begins = np.flatnonzero(np.diff(best, prepend=-1))
    ends = np.append(begins[1:], len(best))
    return [
        _character(chances[begin + int(surest[begin:end].argmax())], begin * columns, min(end * columns, width), signs)
        for begin, end in zip(begins.tolist(), ends.tolist(), strict=True)
        if best[begin] and begin * columns < width
    ]


def _character(chances: Floats, left: float, right: float, signs: Sequence[str]) -> ReadCharacter:
    """From the step (c,) at which a character was seen best."""
    likely = np.flatnonzero(chances > UNLIKELY)
    if len(likely) < OTHERS + 2:
        likely = np.argpartition(-chances, OTHERS + 1)[: OTHERS + 2]
    order = likely[np.argsort(-chances[likely], kind="stable")][: OTHERS + 2]
    (sign, chance), *others = [(signs[number], float(chances[number])) for number in order.tolist() if number]
    return ReadCharacter(sign, chance, left, right, tuple(others[:OTHERS]))


class Network:
    """The network in memory, and the character of each of its classes."""

    def __init__(self, session: Any) -> None:
        self._session = session
        listed: str = session.get_modelmeta().custom_metadata_map["character"]
        self.signs = ["", *listed.split("\n"), " "]
        number = {sign: place for place, sign in enumerate(self.signs)}
        self._same = [(number[other], number[sign]) for other, sign in SAME.items() if other in number]
        wide = [(sign, chr(ord(sign) + WIDE)) for sign in PRINTED if chr(ord(sign) + WIDE) in number and sign in number]
        self._widths = np.array([[number[sign] for sign in pair] for pair in wide], np.int64).reshape(-1, 2)

    def run(self, lines: list[Floats]) -> tuple[Floats, Floats]:
        """(n, steps, c) the chance of each class along lines that are filled up to the same number of columns; (n, steps, f) features."""
        filled = np.zeros((len(lines), 3, HEIGHT, _filled(lines[0].shape[1])), np.float32)
        for place, line in enumerate(lines):
            filled[place, :, :, : line.shape[1]] = line
        try:
            chances, seen, mixed = self._session.run(None, {"x": filled})
        except Exception as error:
            raise LineReaderUnavailable(f"the network of line_model.onnx failed: {error}") from error
        for other, sign in self._same:
            chances[..., sign] += chances[..., other]
            chances[..., other] = 0.0
        features = np.concatenate([seen[:, :, 0].transpose(0, 2, 1), mixed], axis=2)
        return self._in_one_width(np.asarray(chances, np.float32)), np.asarray(features, np.float32)

    def _in_one_width(self, chances: Floats) -> Floats:
        """(n, steps, c) chances with those of a sign and of its form of East Asian width as of the one that each line has more of."""
        both = chances[:, :, self._widths]
        of_line = both.sum(axis=1, keepdims=True)
        more = of_line >= of_line.max(axis=3, keepdims=True)
        more[..., 1] &= ~more[..., 0]
        chances[:, :, self._widths] = both.sum(axis=3, keepdims=True) * more
        return chances


@cache
def network() -> Network:
    """The network, loaded once. Raises: LineReaderUnavailable."""
    os.environ["ORT_DISABLE_TELEMETRY"] = (
        "1"  # releases after the locked one report their use; they look here when they are imported
    )
    try:
        import onnxruntime
    except ImportError as error:
        raise LineReaderUnavailable(f"onnxruntime cannot be loaded: {error}") from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # files are read beside each other
    options.log_severity_level = 4
    try:
        return Network(onnxruntime.InferenceSession(str(MODEL), options, providers=["CPUExecutionProvider"]))
    except Exception as error:
        raise LineReaderUnavailable(f"line_model.onnx cannot be loaded: {error}") from error
