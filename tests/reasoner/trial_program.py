"""A program whose children do what a call asks: it stands for solvers that crash, hang or grow."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Mapping
from typing import Any

from sandbox.program import answer_calls
from spatial.errors import InputRejected


def preload(options: Mapping[str, Any]) -> list[str]:
    """Nothing to import."""
    del options
    return ["spatial", "tests"]


def run(options: Mapping[str, Any]) -> None:
    """Answer calls until the channel closes."""
    del options
    answer_calls(_act)


def _act(call: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    asked = json.loads(data)
    match asked["do"]:
        case "answer":
            output = json.dumps([{"type": call["task"], "pid": os.getpid()}]).encode()
            return {"outcome": "done", "runtime": "geometric", "solver": "trial-1", "solve_ms": 1.0}, output
        case "reject":
            return {"outcome": "error", "error": InputRejected("too few points; send more").to_wire()}, b""
        case "fail":
            return {"outcome": "failed", "traceback": "a secret of the solver"}, b""
        case "hang":
            time.sleep(600)
        case "spin":
            while True:
                pass
        case "crash":
            os.kill(os.getpid(), signal.SIGSEGV)
        case "grow":
            held = [bytearray(8 * 2**20) for _ in range(64)]
            time.sleep(600)
            del held
        case "dial":
            socket.create_connection(("127.0.0.1", asked["port"]), timeout=5)
    raise AssertionError("unreachable")
