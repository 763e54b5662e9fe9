"""compare of a drawing and its solid: the link of callouts and features."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "issue 16: the 2D-3D link",
        {
            "link.bound": "Every hole, thread, slot, radius and chamfer callout and every overall dimension is bound to features with a score.",
            "link.no-contradiction": "A drawing and its solid never contradict each other, whatever unit and scale the drawing has.",
            "link.contradiction": "A size, depth, angle or quantity that differs is reported alone, with both values, the unit and the place.",
            "link.missing": "What the drawing asks and the model lacks is missing.",
            "link.undrawn": "A hole that nothing on the drawing says is undrawn, which is no fault where a note says that the model governs.",
            "link.nothing": "A drawing without callouts is unknown, and the reason says that there is nothing to bind.",
            "link.other-part": "The drawing of another part is unknown, with the reason.",
            "link.several-parts": "What a sheet of several parts asks of other parts than the model is not compared.",
            "link.tolerance": "A size within its tolerance, fit or general tolerance is a match.",
            "link.general-note": "A note for all edges explains radii that have no callout.",
            "link.threads": "A thread that the model has, modelled or named, is compared by its own diameter and pitch, of a hole and of a shaft.",
            "link.clearance": "A clearance hole where a thread is asked is a contradiction that names it.",
            "link.assembly": "A drawing of one part is linked to that part of an assembly.",
            "link.units": "A drawing that names no unit is read in the one in which more of its sizes are in the model, else in the one in which its views are at a preferred scale.",
            "link.unit": "Where hardly a size fits in the stated unit and nearly all in another, one contradiction says so, and the sizes are compared in the other.",
            "link.real": "Real drawings and the models beside them agree, and a wrong quantity in one of them is found.",
            "link.answer": "compare of a drawing and a model answers with data.link and proof, whichever of the two scenes is the drawing.",
            "link.example": "The bundled pair has one contradiction on purpose, which is found.",
            "pmi.features": "A PMI item names the features that its faces belong to.",
        },
    ),
)
