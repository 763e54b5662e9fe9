"""Recovers a damaged DXF with ezdxf's recover mode, which writes it back as clean text that the usual reader reads."""

from __future__ import annotations

import io
import logging
from typing import Final

from spatial.formats.dxf import tags
from spatial.formats.dxf.pairs import CutOff, Damaged

COMPLAINTS_SHOWN: Final = 3
"""Most errors of the auditor that a document repeats."""


def parse_or_recover(data: bytes, warnings: list[str]) -> tags.File:
    """The records of a file, damaged or not; `warnings` gets what had to be done to read it.

    A file that is only cut off is read up to there: recover mode would drop the section that is open.
    """
    recovery_warnings: list[str] = []
    recovered: tags.File | None = None
    try:
        return tags.parse(data)
    except CutOff as damage:
        reason = str(damage)
    except Damaged as damage:
        reason = str(damage)
        recovered = _recover(data, reason, recovery_warnings)
    as_is = tags.parse(data, lenient=True)
    if recovered is not None and _content(recovered) >= _content(as_is):
        warnings += recovery_warnings
        return recovered
    warnings.append(f"the file is damaged ({reason}); it was read as far as possible")
    as_is.damage = reason
    return as_is


def _content(file: tags.File) -> int:
    return len(file.sections.get("ENTITIES", []))


def _recover(data: bytes, reason: str, warnings: list[str]) -> tags.File | None:
    logging.getLogger("ezdxf").setLevel(logging.CRITICAL)
    try:
        # ezdxf takes a fifth of a second to import, and few files are damaged.
        from spatial.formats.dxf.ezdxf_names import recover

        document, auditor = recover.read(io.BytesIO(data))
        text = io.StringIO()
        document.write(text)
        file = tags.parse(text.getvalue().encode(document.output_encoding, "dxfreplace"))
    except Exception:  # noqa: BLE001  # recovery of hostile bytes fails in any way; reading on without it is the answer
        return None
    shown = [error.message for error in auditor.errors[:COMPLAINTS_SHOWN]]
    complaints = f": {'; '.join(shown)}" if shown else ""
    warnings.append(f"the file is damaged ({reason}); it was repaired by the recover mode of ezdxf{complaints}")
    if not document.header.get("$INSUNITS") or b"$INSUNITS" not in data:
        file.header.pop("$INSUNITS", None)
    if b"$MEASUREMENT" not in data:
        file.header.pop("$MEASUREMENT", None)
    return file
