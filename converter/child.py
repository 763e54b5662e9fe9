"""A child process: reads one file, interprets and samples it on request, or does a part of the work of such a child, and ends.

Only this module imports the parsers.

Before a child receives its file it has no environment, no network, no descriptor except its channel, a private folder, and
resource limits (sandbox.isolation). The pool treats the answers of a child as untrusted, like the file.
"""

from __future__ import annotations

import errno
import importlib
import pkgutil
import traceback
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from converter.compiled_patterns import CompiledPatterns
from converter.format_table import FORMATS, formats
from converter.wire import DocumentPlan, MeaningFacts, PointFacts, ReadFacts
from sandbox.program import Channel, answer_calls
from spatial import collector
from spatial.contract.formats import Format
from spatial.contract.points import PointCloudScene
from spatial.contract.target import TargetContract
from spatial.document import assemble
from spatial.document.summary import outline
from spatial.errors import InvalidRequest, SpatialError
from spatial.models import delegation
from spatial.models.guard import OUT_OF_MEMORY
from spatial.models.picture import PicturePlan
from spatial.models.reading import Meaning, Reading
from spatial.models.sampling_plan import SamplingPlan
from spatial.models.time_limit import set_time_limit
from spatial.pipeline.brep import BrepSteps
from spatial.pipeline.read import Steps, read

SHEET_PACKAGES: Final = ("spatial.understanding.sheet",)
"""Packages that the fork server imports whole for drawings: some parts of them are imported only for sheets that need them."""

KERNEL_PACKAGES: Final = ("spatial.models", "spatial.formats", "spatial.understanding", "spatial.pipeline")
"""Packages that the fork server imports whole with the geometry kernel; what other readers need, their specimens show."""

SPECIMENS: Final = Path(__file__).parent / "specimens"
"""Folder with one small file per format, whose name is that of the row (made by tests/converter/make_specimens.py)."""

NO_ROOM: Final = (errno.ENOSPC, errno.EDQUOT)
"""Errors of a disk, or of a quota, that has no room for a child's temporary files; a file that is too large by itself is EFBIG."""

TRACEBACK_CHARACTERS: Final = 16_384
"""Maximum length of the traceback of an unexpected error in the log."""


def preload(options: Mapping[str, Any]) -> list[str]:
    """Import the readers of the formats in `only`, and use them once if `warm`, or if their patterns were never compiled before;
    returns the names of the modules that children read.

    Raises: the error of a reader that cannot be imported or cannot read its specimen.
    """
    table, warm = options["table"], options["warm"]
    rows = [row for row in formats(table).values() if row.name in options["only"]]
    patterns = CompiledPatterns(options["only"])
    patterns.install()
    readers = [importlib.import_module(row.reader) for row in rows]
    ours = [row for row, reader in zip(rows, readers, strict=True) if reader.__name__.startswith(KERNEL_PACKAGES)]
    for kind, packages in (("drawing2d", SHEET_PACKAGES), ("brep", KERNEL_PACKAGES)):
        if warm and any(row.kind == kind for row in ours):
            _import_whole(packages)
    if warm and any(row.kind == "brep" for row in ours):
        importlib.import_module("spatial.models.brep.kernel_objects").reserve()
    if warm or not patterns.are_known:
        for row in ours:
            _warm_up(row)
    if ours and not patterns.are_known:
        patterns.keep()
    # Otherwise the garbage collector writes to pages that the children share; one that reads a single file has no garbage to collect.
    collector.freeze(collected=warm)
    return [*(reader.__name__ for reader in readers), table, "spatial", "converter"]


def _import_whole(packages: Sequence[str]) -> None:
    for package in packages:
        for module in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
            importlib.import_module(module.name)


def _warm_up(row: Format) -> None:
    """Run every call on the specimen of the format, so that children inherit what is initialised at first use.

    This saves a quarter of the time that a child needs for a small part.
    """
    plan = DocumentPlan(
        target=TargetContract.both, request_id="warm-up", sampling=SamplingPlan(points_per_object=16)
    ).model_dump(mode="json")
    for file in SPECIMENS.glob(f"{row.name}.*"):
        session = Session(FORMATS)
        session.read(row, file.read_bytes(), file.name)
        session.assemble(plan)


def run(options: Mapping[str, Any]) -> None:
    """Answer calls until the channel closes."""
    channel = Channel()
    answer_calls(Session(options["table"], channel.delegate).outcome, channel)


class Session:
    """The state of one file between calls."""

    def __init__(self, table: str, hand: delegation.Hand | None = None) -> None:
        """hand: how work is handed to a further child; None where there is none."""
        self._table = table
        self._hand = hand
        self._file_name = ""
        self._edges = False
        self._steps: Steps | None = None
        self._meaning: Meaning | None = None
        self._clouds: tuple[SamplingPlan, PointCloudScene] | None = None

    def outcome(self, call: dict[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
        """Header and payload of the frame that answers a call."""
        try:
            if call["phase"] == "assemble":
                lines, body = self.assemble(call["plan"])
                return {"outcome": "done", "outline": lines}, body
            return {"outcome": "done"}, self.answer(call, data)
        except SpatialError as error:
            return {"outcome": "error", "error": error.to_wire()}, b""
        except BaseException as error:  # noqa: BLE001 - any error of a reader, also SystemExit, is reported
            if _is_out_of_memory(error):
                return {"outcome": "memory"}, b""
            if any(isinstance(each, OSError) and each.errno in NO_ROOM for each in _causes(error)):
                return {"outcome": "full"}, b""
            return {"outcome": "failed", "traceback": traceback.format_exc()[-TRACEBACK_CHARACTERS:]}, b""

    def answer(self, call: dict[str, Any], data: bytes) -> bytes:
        """The result of a call: JSON, or binary glTF of a mesh. Raises: any error of the reader."""
        if call["phase"] == "work":
            from spatial.models.brep.delegated import perform

            return perform(call["task"], data)
        if call["phase"] == "read":
            if self._hand is not None:
                delegation.allow(self._hand, call["tasks"], points=call["points"])
            self._edges = call["edges"]
            set_time_limit(call["seconds"])
            return _json(self.read(formats(self._table)[call["format"]], data, call["file_name"], call["without"]))
        if call["phase"] == "interpret":
            return _json(meaning_facts(self._interpreted()))
        if call["phase"] == "mesh":
            return self._brep().mesh()
        if call["phase"] == "picture":
            return _json(self._brep().picture(PicturePlan.model_validate(call["plan"]), call["title"]))
        return _json(point_facts(self._sampled(SamplingPlan.model_validate(call["plan"]))))

    def read(self, row: Format, data: bytes, file_name: str, without: Sequence[str] = ()) -> ReadFacts:
        """Read a file, which the calls after it are about."""
        self._file_name = file_name
        self._steps = read(row, data, file_name, without)
        return read_facts(self._steps.reading)

    def assemble(self, asked: Mapping[str, Any]) -> tuple[list[str], bytes]:
        """The outline and the bytes of the document. asked: DocumentPlan as plain data."""
        plan = DocumentPlan.model_validate(asked)
        document = assemble.assemble(
            self._read_steps.reading,
            self._interpreted(),
            self._sampled(plan.sampling) if plan.sampling is not None else None,
            file_name=self._file_name,
            target=plan.target,
            request_id=plan.request_id,
            plan=plan.sampling,
        )
        body = assemble.result_bytes(document)
        return outline(document), body

    @property
    def _read_steps(self) -> Steps:
        assert self._steps is not None, "the pool reads first"
        return self._steps

    def _interpreted(self) -> Meaning:
        if self._meaning is None:
            steps = self._read_steps
            self._meaning = steps.interpret(edges=self._edges) if isinstance(steps, BrepSteps) else steps.interpret()
        return self._meaning

    def _sampled(self, plan: SamplingPlan) -> PointCloudScene:
        if self._clouds is None or self._clouds[0] != plan:
            self._clouds = plan, self._read_steps.sample(plan)
        return self._clouds[1]

    def _brep(self) -> BrepSteps:
        if not isinstance(self._steps, BrepSteps):
            raise InvalidRequest("the file has no surfaces to make a mesh or a picture of; name a STEP or IGES file")
        return self._steps


def read_facts(reading: Reading) -> ReadFacts:
    """What the caller of a read is told."""
    return ReadFacts(
        source_format=reading.source_format,
        entity_counts=reading.entity_counts,
        warnings=reading.warnings,
        partial=reading.partial,
    )


def meaning_facts(meaning: Meaning) -> MeaningFacts:
    """What the caller of an interpretation is told."""
    callouts = meaning.callouts
    return MeaningFacts(callouts=None if callouts is None else len(callouts), warnings=meaning.warnings)


def point_facts(scene: PointCloudScene) -> PointFacts:
    """What the caller of a sampling is told."""
    clouds = scene.point_clouds
    return PointFacts(objects=len(clouds), points=sum(len(cloud.points) for cloud in clouds))


def _json(model: Any) -> bytes:
    text: str = model.model_dump_json(by_alias=True)
    return text.encode()


def _is_out_of_memory(error: BaseException) -> bool:
    return any(type(each).__name__ in OUT_OF_MEMORY for each in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and what it came from."""
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        yield error
        seen.add(id(error))
        error = error.__cause__ or error.__context__
