"""The asyncio client, made of the blocking one: the same methods, parameters and docstrings, as coroutines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

BY_ASYNCIO: Final = (
    (r"^(    )def (?=[a-z]\w*\()", r"\1async def "),
    (r"(@property\n    )async def", r"\1def"),
    (r"self\._driver\.run\(", "await self._driver.run("),
    (r"for outcome in ", "async for outcome in "),
    (r"self\._http\.close\(\)", "await self._http.aclose()"),
    (r"self\.close\(\)", "await self.close()"),
    (r"\bclose\(\)", "aclose()"),
    (r"\bthread\b", "task"),
    (r"\bthreads\b", "tasks"),
    (r"  # noqa: UP028.*$", ""),
    (r"\bclose\(self\)", "aclose(self)"),
    (r"def __(enter|exit)__", r"async def __a\1__"),
    (r"\b(Client|Batch|Iterator|Driver)\b(?!\.batch)", r"Async\1"),
    (r"httpx\.Async", "httpx.Async"),
    (r"\bClient\.batch", "AsyncClient.batch"),
    (r"with AsyncClient\(\) as client", "async with AsyncClient() as client"),
    (r"= client\.", "= await client."),
    (r"spatial_geometry\.batch import", "spatial_geometry.async_batch import"),
)
"""Pattern and replacement, in their order."""

HEADS: Final = {
    "client.py": '"""The client for asyncio; made of client.py by scripts/client_models.py."""',
    "batch.py": '"""The handle of a batch for asyncio; made of batch.py by scripts/client_models.py."""',
}


def by_asyncio(package: Path, name: str) -> str:
    """A module of the blocking client as the one of the asyncio client, not formatted yet."""
    code = (package / name).read_text("utf-8").partition("\n")[2]
    for pattern, replacement in BY_ASYNCIO:
        code = re.sub(pattern, replacement, code, flags=re.MULTILINE)
    return f"{HEADS[name]}\n{code}"
