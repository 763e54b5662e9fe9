"""One thread that parses and validates the bodies of requests, so that the event loop serves other requests meanwhile.

There is one for all requests: several that parse at the same time would only compete with the event loop for the interpreter's lock.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Final, ParamSpec, TypeVar

_PARSER: Final = ThreadPoolExecutor(max_workers=1, thread_name_prefix="body-parser")

P = ParamSpec("P")
T = TypeVar("T")


async def run_in_parser(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call the function in the thread, in the order of the requests. Raises: what the function raises."""
    return await asyncio.get_running_loop().run_in_executor(_PARSER, partial(function, *args, **kwargs))
