"""describe: a scene in a paragraph, with the facts behind each sentence."""

from __future__ import annotations

from collections.abc import Iterator

from spatial.reasoning.answer import Answer
from spatial.reasoning.prose.cloud import cloud_sentences
from spatial.reasoning.prose.diagram import diagram_sentences
from spatial.reasoning.prose.drawing import drawing_sentences
from spatial.reasoning.prose.model import model_sentences
from spatial.reasoning.prose.sentence import Fact, Sentence, sentence
from spatial.reasoning.question import Question
from spatial.reasoning.scene.model import Scene
from spatial.reasoning.scene.report import SceneReport, report


def solve(question: Question) -> Answer:
    """`data.description` and `data.cad_scene`; the proof has the sentences with their facts. Raises: InputRejected."""
    found = report(question.scene)
    sentences = list(_sentences(question.scene, found))
    return Answer(
        data={"description": " ".join(each.text for each in sentences), "cad_scene": found.data},
        proof={"sentences": [each.listed() for each in sentences]},
        warnings=found.warnings,
    )


def _sentences(scene: Scene, found: SceneReport) -> Iterator[Sentence]:
    structure = scene.document.structure if scene.document else None
    if structure is not None:
        if structure.kind == "brep":
            yield from model_sentences(structure, scene, found)
        elif structure.kind == "drawing2d":
            yield from drawing_sentences(structure)
        else:
            yield from diagram_sentences(structure, found)
    clouds = [item for item in found.items if item.type in ("point_cloud", "depth_map")]
    yield from cloud_sentences(clouds, scene.units, found)
    yield from _assumed_unit(scene)
    if scene.document is not None and (scene.document.partial or not found.items):
        yield _incomplete(scene)


def _assumed_unit(scene: Scene) -> Iterator[Sentence]:
    """That the numbers rest on a unit that the file does not declare."""
    evidence = ((scene.document.model_extra or {}) if scene.document else {}).get("units_evidence")
    if isinstance(evidence, dict) and evidence.get("found") == "assumed":
        text = f"the file declares no unit; its numbers are taken as {scene.units}"
        yield sentence(text, Fact("units", evidence, "structure", "cad_scene.units_evidence"))


def _incomplete(scene: Scene) -> Sentence:
    assert scene.document is not None  # the caller has looked
    if scene.document.partial:
        return sentence("only a part of the file was read", Fact("partial", True, "structure", "cad_scene.partial"))
    return sentence("the document has no objects", Fact("objects", 0, "structure", "objects"))
