"""understand: the objects of a scene with their relations, and where every fact came from."""

from __future__ import annotations

from spatial.reasoning.answer import Answer
from spatial.reasoning.question import Question
from spatial.reasoning.scene.report import report


def solve(question: Question) -> Answer:
    """`data.cad_scene`; the proof says of each fact whether the document states it or geometry shows it. Raises: InputRejected."""
    found = report(question.scene)
    return Answer(data={"cad_scene": found.data}, proof={"facts": found.facts}, warnings=found.warnings)
