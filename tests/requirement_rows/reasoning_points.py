"""Shapes of points: embed, reconstruct, the depth route, and what every task asks of its input."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "docs/reasoning/embed.md",
        {
            "embed.invariant": "Rotation, translation, scale and the order of the points do not change an embedding.",
            "embed.near-duplicates": "Another sample of the same surface is nearer than another part.",
            "embed.different-parts": "Different parts, and chiral mirror images, are farther than duplicates.",
            "embed.fixed": "An embedding has a fixed length, the length 1, a version, and the scale beside it.",
            "embed.distances": "The proof has the distances to the other objects of the scene.",
            "embed.surfaces": "Exact solids have a second vector of their analytic surfaces, and clouds do not.",
            "embed.refusals": "Too few points, or points at one place, are 422.",
        },
    ),
    *rows(
        "docs/reasoning/reconstruct.md",
        {
            "reconstruct.radius": "The radius of a cylinder of noisy points is within 1 %.",
            "reconstruct.bodies": "Boxes, cylinders, spheres and cones of noisy points have their sizes, and a watertight mesh.",
            "reconstruct.volume-bound": "The true volume lies within the error of the reported one.",
            "reconstruct.primitives": "The surfaces of a part that is no closed primitive are found with their parameters.",
            "reconstruct.exact": "An exact solid has its primitives in its faces, with the volume of the document.",
            "reconstruct.hull": "A convex body that is no closed primitive has the mesh of its hull.",
            "reconstruct.unknown": "What is open, measured in part, not convex or no surface has no mesh, and the reason.",
            "reconstruct.invariant": "Moving, turning and scaling an object or reordering its points does not change what is found.",
            "reconstruct.detail": "The compact answer has no vertices and no proof.",
            "reconstruct.refusals": "Too few points and a bad tolerance are 422.",
        },
    ),
    *rows(
        "docs/reasoning/images.md",
        {
            "depth.truth": "Back-projected points lie on the surface that the depth map was made of, in the scene's frame and units.",
            "depth.formats": "Depth maps are NPY, or PNG and JPEG of one channel with a scale.",
            "depth.objects": "Boxes and masks of pixels select objects; without them the image is one object.",
            "depth.support": "The supporting plane is left out when the request asks for it.",
            "depth.hidden-sides": "A warning names the objects of which a single view shows one side, where the task needs the others.",
            "depth.views": "Several views with poses show the same objects.",
            "depth.hostile": "Files that are damaged, oversized or of another type are 422 with the path of the field.",
            "depth.unused": "Images that a task does not use are named in a warning.",
        },
    ),
    *rows(
        "docs/reasoning/images.md",
        {
            "inputs.too-few-points": "A task with too few points is 422 and says how many it needs.",
            "inputs.unknown-id": "An id that no object of the scene has is 422 in every task, and names those that are known.",
            "inputs.goal": "Members of a goal are checked: a number is finite and within its limits, a direction has a length, a word is one of a list.",
            "inputs.unused": "Sensor readings, previous scenes, secondary ids and goal members that a task does not use are named in warnings.",
            "inputs.moderate": "Coordinates beyond 1e12 are 422.",
        },
    ),
)
