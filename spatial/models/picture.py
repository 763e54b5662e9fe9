"""What a picture of solids shall show: the plan that travels to the process that holds the file."""

from __future__ import annotations

import re
from typing import Final, Literal, Self, get_args

from pydantic import Base64Bytes, BaseModel, ConfigDict

from spatial.errors import InvalidRequest

ViewName = Literal["iso", "front", "top", "right"]
VIEWS: Final[tuple[ViewName, ...]] = get_args(ViewName)

PictureFormat = Literal["png", "svg"]

WIDTH: Final = 1600
HEIGHT: Final = 1200
"""Pixels of a picture."""


class Section(BaseModel):
    """A plane at right angles to an axis of the document; what lies between it and the eye is left out."""

    model_config = ConfigDict(frozen=True)

    axis: Literal["x", "y", "z"]
    offset: float | None = None
    """Where on the axis, in the document's units; None is the middle of what is drawn."""

    @classmethod
    def parse(cls, text: str) -> Self:
        """`x`, `y` or `z`, and where it stands: `z=12.5`. Raises: InvalidRequest."""
        found = re.fullmatch(r"\s*([xyz])\s*(?:=\s*([+-]?(?:\d+\.?\d*|\.\d+)))?\s*", text, re.IGNORECASE)
        if found is None:
            raise InvalidRequest(f"{text!r} is no section; give x, y or z, and an offset if wanted, such as z=12.5")
        return cls.model_validate({"axis": found[1].lower(), "offset": found[2]})

    @property
    def number(self) -> int:
        """0, 1 or 2."""
        return "xyz".index(self.axis)


class PicturePlan(BaseModel):
    """What is drawn, and how."""

    model_config = ConfigDict(frozen=True)

    format: PictureFormat = "png"
    views: tuple[ViewName, ...] = ("iso",)
    """One, or the four of a sheet."""
    features: bool = False
    """Whether features are labelled."""
    section: Section | None = None
    exploded: bool = False
    """Whether the bodies of an assembly are drawn apart."""
    width: int = WIDTH
    height: int = HEIGHT
    """Pixels."""


class Picture(BaseModel):
    """A picture, and what a caller should know about it."""

    content: Base64Bytes
    notes: list[str] = []
