"""ezdxf without its fonts; the DXF reader takes what it needs of ezdxf from here, for damaged files.

Imported plainly, ezdxf opens every font of the system and writes what it found below the home directory, which costs
seconds where there are many and fails where there is no home. `fonts/` says that there are none: the reader needs no
widths of letters.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

NO_FONTS: Final = Path(__file__).with_name("fonts")
_CACHES: Final = "XDG_CACHE_HOME"

_before = os.environ.get(_CACHES)
os.environ[_CACHES] = str(NO_FONTS)
try:
    from ezdxf import recover
finally:
    del os.environ[_CACHES]
    if _before is not None:
        os.environ[_CACHES] = _before

__all__ = ["recover"]
