"""What optimize, predict and act answer, and the truth that their tests hold them to."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import rows

_SOURCE: Final = "docs/reasoning: the tasks optimize, predict and act"

ROWS: Final = (
    *rows(
        _SOURCE,
        {
            "goal.typed": "A member of a goal of the wrong kind or out of range is 422 and named; one that is not used is named in a warning.",
            "optimize.check": "An arrangement counts only after a check of overlap, gap, containment, rotations and support that shares no code with the search.",
            "optimize.pack": "pack puts as much volume as possible into a container, and names what is left out and why.",
            "optimize.height": "height finds a stack of least height over a base, infeasible only where a bound proves it.",
            "optimize.print-stands": "print turns a part that stands on a tip or an edge onto a side on which it stands.",
            "optimize.footprint": "footprint puts objects side by side on a rectangle of least area, or of least depth for a width.",
            "optimize.shelf": "shelf puts objects on the fewest equal shelves.",
            "optimize.turns": "Objects are turned one by one where that serves, and more allowed turns never make an arrangement worse.",
            "optimize.print": "print turns an object onto the side with the least overhang, then the least height.",
            "optimize.instances": "Public packing instances come out within a stated share of the optimum, and never beyond it.",
            "optimize.bounds": "No arrangement beats the bound that the answer reports, and the gap to it is stated.",
            "optimize.invariant": "Turning about the vertical, moving and scaling a scene with its goal never changes a verdict of optimize.",
            "optimize.deterministic": "The same question with the same seed has the same answer.",
            "act.unknown-walls": "Every side of a container that is given by its corners is avoided like a wall; what needs an open one is unknown.",
            "act.grasp": "Grasps are pairs of contacts whose line lies in both friction cones, with a straight approach that touches nothing.",
            "act.steps": "Steps bring a grasped object to a place on straight lines, each with its clearance.",
            "act.refusal": "No grasp, a blocked way and an unknown gripper are told apart, with the cause; a wrong goal is 422.",
            "act.invariant": "Turning, moving and scaling a scene with its gripper never changes a verdict of act, nor does repeating it.",
            "predict.turned": "A body slides as far in every orientation of the scene, in coordinates rounded to six digits too.",
            "predict.pushed": "A sensed force presses a body onto its support or lifts it; friction follows the load.",
            "predict.support-lost": "What rests on something that moves has an unknown motion.",
            "predict.fall": "What nothing supports falls by half g t squared, with what it carries, lands or topples.",
            "predict.motion": "Measured motion goes on until something stops it; what stands stays.",
            "predict.readings": "Sensor readings give velocities, forces and masses; what of them is not used is named.",
            "predict.registration": "The motion between two clouds is found with and without corresponding points, and none where the shape changed.",
            "predict.landing": "What lands with a speed along its support slides on by the goal's friction, or is undetermined without one.",
            "predict.inclined": "An inclined floor stays, and what stands on it rests, slides or topples by friction and angle.",
            "predict.unknown": "What the input does not decide is unknown or 422: toppling, falls in unknown units.",
            "predict.invariant": "Turning, moving and scaling a scene with its gravity never changes what predict answers.",
            "optimize.unknown": "What the input does not decide is unknown or 422, with what to send.",
        },
    ),
)
