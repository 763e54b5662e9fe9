"""Accuracy: how often drawings are read right, on generated sheets, real ones, and the corpus where it is there.

    python -m benchmarks accuracy
    python -m benchmarks accuracy --sheets 200 --misses [--only pdf] [--start 1000] [--curve docs/pictures/calibration.svg]
    python -m benchmarks accuracy --leave-one-out --ablation --agreement --losses

With `--leave-one-out` the sheets of each office are read again without the words that were learned from them (`leave_one_out`),
with `--ablation` with labels that no vocabulary knows (`ablation`), with `--agreement` nothing is read: two labellings are
compared (`agreement`), with `--losses` what is missed on real sheets is counted by the step that lost it and by cause (`losses`);
with any of them, other boards are left out. Scores are those of `tests/accuracy/score.py`; the sheets are read in this process. Confidences
are compared with what was right.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final

from benchmarks import ablation, agreement, leave_one_out, losses
from benchmarks.picture import picture
from benchmarks.report import Table
from benchmarks.stack import Stack
from tests.accuracy.board import (
    AIMS,
    CORPUS,
    HEADINGS,
    HELD_OUT,
    REAL,
    Board,
    Known,
    calibration,
    generated,
    labelled,
    scored,
)
from tests.sheets.generate import Format

SHEETS, START = 60, 2000
"""Generated sheets of each format, and the first seed: none that readers were tuned on."""
FEWEST = 10
"""Readings in a bin that is drawn."""
CURVE = Path(__file__).resolve().parents[1] / "docs" / "pictures" / "calibration.svg"


def measure(stack: Stack) -> list[Table]:
    """Tables of scores, and of confidences against what was right. The stack is not used: accuracy does not depend on it."""
    return _tables(_boards(SHEETS, START, ("pdf", "dxf")))


def _boards(count: int, start: int, formats: tuple[Format, ...]) -> dict[str, Board]:
    boards = {f"{count} generated {each}": scored(generated(count, each, start)) for each in formats}
    for name, folder in (("real sheets", REAL), ("held-out sheets", HELD_OUT), ("shared corpus", CORPUS)):
        if folder.is_dir():
            boards[name] = scored(_of(formats, labelled(folder)))
    return boards


def _real() -> list[Known]:
    """Every labelled real sheet that is here, once."""
    offices = leave_one_out.by_office(chain(labelled(REAL), labelled(HELD_OUT)))
    return [known for sheets in offices.values() for known in sheets]


def _left_out() -> Iterator[Table]:
    """The board of all real sheets, and what is left of it office by office."""
    sheets = _real()
    ordinary = {office: scored(iter(own)) for office, own in leave_one_out.by_office(sheets).items()}
    without, learned = leave_one_out.left_out(sheets)
    yield leave_one_out.table(ordinary, without, learned)
    yield leave_one_out.totals(ordinary, without)
    judged = leave_one_out.together(without).total().judged
    yield _calibration("Calibration of confidences, each office left out", judged)


def _ablated() -> Iterator[Table]:
    sheets = _real()
    words = (ablation.INVENTED, *ablation.LANGUAGES)
    yield ablation.table({name: ablation.ablated(sheets, name) for name in words})


def _agreed() -> Iterator[Table]:
    yield from agreement.tables()


def _lost() -> Iterator[Table]:
    yield from losses.tables(_real())


_FURTHER: Final = {"leave_one_out": _left_out, "ablation": _ablated, "agreement": _agreed, "losses": _lost}
"""Tables of their own, by the option that asks for them."""


def _of(formats: tuple[Format, ...], sheets: Iterator[Known]) -> Iterator[Known]:
    return (known for known in sheets if known.name.lower().endswith(formats))


def _tables(boards: dict[str, Board]) -> list[Table]:
    tables = [Table(f"Accuracy, {name}", HEADINGS, board.rows(), _unread(board)) for name, board in boards.items()]
    judged = list(chain.from_iterable(board.total().judged for board in boards.values()))
    return [*tables, _summary(boards), _calibration("Calibration of confidences", judged)]


def _calibration(title: str, judged: list[tuple[str, float, bool]]) -> Table:
    rows: list[tuple[str, ...]] = [
        (f"{low:.2f} to {high:.2f}", str(count), f"{sure:.3f}", f"{right:.3f}")
        for low, high, count, sure, right in calibration(judged)
    ]
    note = "Of what was read with a confidence, so much was right. Aim: the two columns agree."
    return Table(title, ("confidence", "readings", "mean confidence", "right"), rows, note)


def _summary(boards: dict[str, Board]) -> Table:
    """What has an aim, a row a board."""
    rows: list[tuple[str, ...]] = [
        (name, str(len(board.sheets)), *(f"{board.aims()[aim]:.3f}" if aim in board.aims() else "none" for aim in AIMS))
        for name, board in boards.items()
    ]
    note = "Macro over sheets. none: no sheet of the board has one."
    return Table("Accuracy in short", ("board", "sheets", *AIMS), rows, note)


def _unread(board: Board) -> str:
    return "".join(f"Not read: {name}: {why}. " for name, why in board.failed.items()).strip()


def curve(boards: dict[str, Board], file: Path) -> None:
    """Confidence against what was right, by kind of reading, as a picture. Few readings prove nothing and are left out."""
    judged = [each for board in boards.values() for each in board.total().judged]
    with picture(file, (5, 4.2)) as axes:
        axes.plot([0.5, 1], [0.5, 1], color="0.7", linewidth=1, label="as said")
        for kind in sorted({name for name, _, _ in judged}):
            bins = [each for each in calibration([each for each in judged if each[0] == kind]) if each[2] >= FEWEST]
            axes.plot([each[3] for each in bins], [each[4] for each in bins], marker="o", linewidth=1.2, label=kind)
        axes.set(xlabel="confidence that was said", ylabel="part that was right", xlim=(0.5, 1.01), ylim=(0.5, 1.01))
        axes.legend(frameon=False, fontsize=8)


def main(argv: list[str] | None = None) -> None:
    """Score without a stack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sheets", type=int, default=SHEETS, help="generated sheets of each format")
    parser.add_argument("--start", type=int, default=START, help="first seed")
    parser.add_argument("--only", choices=["pdf", "dxf"])
    parser.add_argument("--misses", action="store_true", help="list every miss")
    parser.add_argument(
        "--curve", type=Path, nargs="?", const=CURVE, help=f"draw the calibration curve (default place: {CURVE})"
    )
    parser.add_argument("--leave-one-out", action="store_true", help="each office without the words learned from it")
    parser.add_argument("--ablation", action="store_true", help="labels that no vocabulary knows")
    parser.add_argument("--agreement", action="store_true", help="two labellings of the same sheets")
    parser.add_argument("--losses", action="store_true", help="what is missed on real sheets, by step and by cause")
    chosen = parser.parse_args(argv)
    wanted = [make for name, make in _FURTHER.items() if getattr(chosen, name)]
    if wanted:
        for table in chain.from_iterable(make() for make in wanted):
            print(table.text(), end="\n\n")
        return
    formats: tuple[Format, ...] = (chosen.only,) if chosen.only else ("pdf", "dxf")
    boards = _boards(chosen.sheets, chosen.start, formats)
    for name, board in boards.items() if chosen.misses else ():
        print(f"misses, {name}")
        for sheet, score in board.sheets.items():
            print("".join(f"  {sheet}: {miss}\n" for miss in score.misses), end="")
    for table in _tables(boards):
        print(table.text(), end="\n\n")
    if chosen.curve:
        curve(boards, chosen.curve)


if __name__ == "__main__":
    main()
