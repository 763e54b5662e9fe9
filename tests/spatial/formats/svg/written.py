"""SVG written by a test, read into the structure of the document."""

from __future__ import annotations

from typing import Any

from tests.spatial.diagrams import source

Record = dict[str, Any]

NAMESPACES = (
    'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
    'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
)


def structure(body: str, root: str = 'width="400" height="300"') -> Record:
    """The document's structure as JSON has it."""
    reading = source(f"<svg {NAMESPACES} {root}>{body}</svg>", "a.svg").reading
    found: Record = reading.structure.model_dump(mode="json", exclude_none=True)
    return found


def entities(body: str, root: str = 'width="400" height="300"') -> list[Record]:
    found: list[Record] = structure(body, root)["entities"]
    return found


def only(body: str, root: str = 'width="400" height="300"') -> Record:
    (found,) = entities(body, root)
    return found


def texts(body: str) -> list[Record]:
    found: list[Record] = structure(body)["annotations"]
    return found


def reading(body: str, root: str = 'width="400" height="300"') -> Any:
    """What the converter reads."""
    return source(f"<svg {NAMESPACES} {root}>{body}</svg>", "a.svg").reading


def extents(body: str, root: str = 'width="400" height="300"') -> list[float] | None:
    """Minimum x and y, maximum x and y of what is seen."""
    box = reading(body, root).bbox
    return None if box is None else [*box.min, *box.max]
