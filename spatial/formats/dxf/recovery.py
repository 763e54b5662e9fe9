"""A damaged DXF, mended by ezdxf's recover mode and written back as clean text, so that one reader reads all."""

from __future__ import annotations

import io
import logging
from typing import Final

from spatial.formats.dxf import tags
from spatial.formats.dxf.ezdxf_names import recover
from spatial.formats.dxf.pairs import CutOff, Damaged

COMPLAINTS_SHOWN: Final = 3
"""How many of the errors that were found a document repeats."""


def parse_or_recover(data: bytes, warnings: list[str]) -> tags.File:
    """The records of a file of any state; what had to be done to it is said in `warnings`.

    A file that is whole up to where it is cut off is read so far: recover mode would drop the section that is open.
    """
    said: list[str] = []
    mended: tags.File | None = None
    try:
        return tags.parse(data)
    except CutOff as damage:
        reason = str(damage)
    except Damaged as damage:
        reason = str(damage)
        mended = _recovered(data, reason, said)
    as_is = tags.parse(data, lenient=True)
    if mended is not None and _content(mended) >= _content(as_is):
        warnings += said
        return mended
    warnings.append(f"the file is damaged ({reason}); read as far as it goes")
    return as_is


def _content(file: tags.File) -> int:
    return len(file.sections.get("ENTITIES", []))


def _recovered(data: bytes, reason: str, warnings: list[str]) -> tags.File | None:
    logging.getLogger("ezdxf").setLevel(logging.CRITICAL)
    try:
        document, auditor = recover.read(io.BytesIO(data))
        text = io.StringIO()
        document.write(text)
        file = tags.parse(text.getvalue().encode(document.output_encoding, "dxfreplace"))
    except Exception:  # noqa: BLE001  # recovery of hostile bytes fails in any way; reading on without it is the answer
        return None
    shown = [error.message for error in auditor.errors[:COMPLAINTS_SHOWN]]
    said = f": {'; '.join(shown)}" if shown else ""
    warnings.append(f"the file is damaged ({reason}); recovered by ezdxf's recover mode{said}")
    if not document.header.get("$INSUNITS") or b"$INSUNITS" not in data:
        file.header.pop("$INSUNITS", None)
    if b"$MEASUREMENT" not in data:
        file.header.pop("$MEASUREMENT", None)
    return file
