"""compare: what changed between the previous scene and the current one."""

from __future__ import annotations

from spatial.errors import InputRejected
from spatial.reasoning.answer import Answer
from spatial.reasoning.diff.scenes import compare_scenes
from spatial.reasoning.question import Question
from spatial.reasoning.scene.report import report


def solve(question: Question) -> Answer:
    """The verdict `same` or `changed`, with `data.cad_scene_diff`; `unknown` for scenes of different kinds. Raises: InputRejected."""
    current = report(question.scene)
    if question.previous is None:
        raise InputRejected(
            "input.previous_cad_scene is missing; send the earlier extraction there, or the earlier point clouds as "
            "input.previous_point_cloud_scene",
            details={"field": "input.previous_cad_scene"},
        )
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
