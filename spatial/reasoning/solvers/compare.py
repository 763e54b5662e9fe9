"""compare: what changed between the previous scene and the current one; of a drawing and its solid, where they contradict each other."""

from __future__ import annotations

from typing import Final

from spatial.contract.extraction import CadExtraction
from spatial.counting import count_of
from spatial.errors import InputRejected
from spatial.reasoning.answer import Answer
from spatial.reasoning.diff.scenes import compare_scenes
from spatial.reasoning.link.link import link
from spatial.reasoning.link.report import data_of, debug_of, proof_of
from spatial.reasoning.log import log_step
from spatial.reasoning.question import Question
from spatial.reasoning.scene.items.listing import kind_of
from spatial.reasoning.scene.model import Scene
from spatial.reasoning.scene.report import SceneReport, report

CURRENT: Final = "cad_scene"
PREVIOUS: Final = "previous_cad_scene"


def solve(question: Question) -> Answer:
    """The verdict `same` or `changed`, with `data.cad_scene_diff`; of a drawing and a model that of `data.link`. Raises: InputRejected."""
    current = report(question.scene)
    if question.previous is None:
        raise InputRejected(
            "input.previous_cad_scene is missing; send the earlier extraction there, or the earlier point clouds as "
            "input.previous_point_cloud_scene",
            details={"field": "input.previous_cad_scene"},
        )
    pair = _drawing_and_model(question.scene, question.previous)
    if pair is not None:
        return _linked(*pair, current)
    found = compare_scenes(question.previous, question.scene, question.goal)
    data = {"cad_scene": current.data}
    if isinstance(found, str):
        return Answer.unknown(found, data=data, warnings=current.warnings)
    return Answer(
        data=data | {"cad_scene_diff": found.difference()},
        proof=found.proof(),
        verdict=found.verdict,
        warnings=(*current.warnings, *found.warnings),
        debug=found.debug,
    )


def _drawing_and_model(current: Scene, previous: Scene) -> tuple[CadExtraction, CadExtraction, str] | None:
    """The drawing, the model, and the member that has the drawing; None where the scenes are of other kinds."""
    scenes = {kind_of(scene): (scene.document, name) for scene, name in ((current, CURRENT), (previous, PREVIOUS))}
    drawing, member = scenes.get("drawing2d", (None, ""))
    model, _ = scenes.get("brep", (None, ""))
    return None if drawing is None or model is None else (drawing, model, member)


def _linked(drawing: CadExtraction, model: CadExtraction, member: str, current: SceneReport) -> Answer:
    """Which features each callout means, and where drawing and model contradict each other."""
    found = link(drawing, model)
    log_step(f"linked {count_of(len(found.requests), 'request')} of the drawing: {found.verdict}")
    return Answer(
        data={"cad_scene": current.data, "link": data_of(found, member)},
        proof=proof_of(found),
        verdict=found.verdict,
        reason=found.reason,
        warnings=current.warnings,
        debug=debug_of(found),
    )
