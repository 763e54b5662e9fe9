"""Curves of the documentation as SVG pictures."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any


@contextmanager
def picture(file: Path, size: tuple[float, float], fields: int = 1) -> Iterator[Any]:
    """Axes to draw on, saved on leaving; the same curves give the same file. Several fields below each other are an array of axes.

    size: width and height in inches.
    """
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = file.stem
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(fields, 1, figsize=size, sharex=True)
    yield axes
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    plt.close(figure)
