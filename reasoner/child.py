"""A child process: answers one question, and ends. Only this module imports the solvers."""

from __future__ import annotations

import importlib
import json
import pkgutil
import traceback
from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from sandbox.program import answer_calls
from spatial.contract.responses import ResponsesInput
from spatial.contract.validation import refusal
from spatial.errors import SpatialError
from spatial.models.guard import OUT_OF_MEMORY
from spatial.reasoning.solve import solve

PACKAGE: Final = "spatial.reasoning"

TRACEBACK_CHARACTERS: Final = 16_384
"""Maximum length of the traceback of an unexpected error in the log."""


def preload(options: Mapping[str, Any]) -> list[str]:
    """Import every solver, so that children inherit them; returns the packages whose files children may read."""
    del options
    for module in pkgutil.walk_packages(importlib.import_module(PACKAGE).__path__, f"{PACKAGE}."):
        importlib.import_module(module.name)
    return ["spatial", "reasoner"]


def run(options: Mapping[str, Any]) -> None:
    """Answer calls until the channel closes."""
    del options
    answer_calls(_outcome)


def _read(data: bytes) -> ResponsesInput:
    """The input of a request. Raises: SpatialError; only a request that the API did not check can be refused here."""
    try:
        return ResponsesInput.model_validate_json(data)
    except ValidationError as error:
        raise refusal(error) from None


def _outcome(call: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """Header and payload of the frame that answers a call."""
    del call
    try:
        solved = solve(_read(data))
        header = {"outcome": "done", "runtime": solved.runtime, "solver": solved.solver, "solve_ms": solved.solve_ms}
        return header, json.dumps(solved.output, ensure_ascii=False, allow_nan=False).encode()
    except SpatialError as error:
        return {"outcome": "error", "error": error.to_wire()}, b""
    except BaseException as error:  # noqa: BLE001 - any error of a solver or a library, also SystemExit, is reported
        if type(error).__name__ in OUT_OF_MEMORY:
            return {"outcome": "memory"}, b""
        return {"outcome": "failed", "traceback": traceback.format_exc()[-TRACEBACK_CHARACTERS:]}, b""
