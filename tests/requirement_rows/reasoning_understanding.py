"""What understand, describe and classify answer, and the truth that their tests hold them to."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "docs/reasoning/understand.md",
        {
            "understand.objects": "Every object has its absolute bounds and its parent: solids, assemblies, pages, nodes, sheets, tables.",
            "understand.edges": "An edge of a diagram is connected_to in the direction of its arrowheads, also where the only head is at its source.",
            "understand.neighbours": "left_of, above and the like relate nearest neighbours, with y down in diagrams and z up in models.",
            "understand.contact": "Bodies that touch are adjacent or on each other only where faces, boxes or points show it, with the gap.",
            "understand.inside": "A body within the convex hull of another is inside it, and one that merely lies within its bounds is not.",
            "understand.drawing": "A drawing reports its title block, its tables and notes, and its callouts by type and by quantity.",
            "understand.proof": "Each fact says whether the document states it or geometry shows it, and a measured one has its numbers.",
            "understand.bounded": "The number of relations grows with the number of objects, and what was not tried is named in a warning.",
            "understand.transforms": "Moving and scaling a scene changes no relation, and turning it turns the relations.",
            "understand.nothing-422": "A request with neither a document nor points is 422 that says what to send.",
        },
    ),
    *rows(
        "docs/reasoning/describe.md",
        {
            "describe.model": "A model is described by its size, volume, holes by diameter and direction, and outer cylinders, in the file's unit.",
            "describe.holes": "A cylinder face is called a hole or a pin only where plane faces at its ends show it.",
            "describe.assembly": "An assembly is described by its parts and how often each is placed.",
            "describe.drawing": "A drawing is described by its number, title, revision, material, scale, callouts, parts list and notes.",
            "describe.diagram": "A diagram is described by where its flow starts and ends, its decisions, its cycles and its loose nodes.",
            "describe.no-flow": "A diagram without a decision is not said to flow: the nodes that arrows only leave or only reach are named.",
            "describe.assumed-unit": "A description says that its unit is assumed where the file declares none.",
            "describe.facts": "Each sentence has the facts that it rests on, and the description is the sentences in order.",
            "describe.numbers": "Numbers have the digits that a measure warrants and no more, nouns follow their number.",
        },
    ),
    *rows(
        "docs/reasoning/classify.md",
        {
            "classify.without-points": "Of a part without points the box is that of the axes: a warning says so, and one that lies at an angle is unknown.",
            "classify.parts": "Parts of each family are recognised as such.",
            "classify.invariant": "Turning, moving and scaling a part changes neither its family nor, beyond noise, its probabilities.",
            "classify.clouds": "A point cloud is classified by the families that points alone can show.",
            "classify.drawings": "Drawings and diagrams have families by what stands on them.",
            "classify.proof": "Probabilities add up to 1, and the criteria that decided are listed with what was measured.",
            "classify.unknown": "Where the features are too few, or fit no family or two alike, the verdict is unknown with the reason.",
        },
    ),
)
