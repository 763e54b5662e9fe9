"""Shapes, fit, stability and placement."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "issue: shapes of scene objects",
        {
            "shape.distance": "The distance of two convex shapes is exact, whichever is first and however both are turned.",
            "shape.penetration": "The penetration of two convex shapes is the shortest translation that separates them.",
            "shape.exact": "Boxes, cylinders and spheres are recognised exactly, from faces or from points on them.",
            "shape.bound": "The hull of a sample has a bound of its error, and is never taken as exact.",
            "shape.orthogonal": "A solid of planes at right angles is known exactly, proven by its volume.",
            "shape.cavity": "Pockets, containers and bores are found with their walls, openings and exact sizes.",
        },
    ),
    *rows(
        "issue: fit",
        {
            "fit.exact": "A box goes into a box that is 0.01 mm larger and not into one that is 0.01 mm smaller.",
            "fit.bore": "A peg goes into a bore by their analytic radii.",
            "fit.rotation": "An object that fits only after a rotation is found to fit, unless the goal forbids it.",
            "fit.clearance": "goal.clearance is the least clearance that counts as a fit.",
            "fit.insertion": "The way in is reported with its direction, its poses and what blocks it.",
            "fit.proof": "The answer carries contact points and the closest pair.",
            "fit.on": "An object fits onto another one that has no cavity if it stands on it within its edges.",
            "fit.occupied": "Other objects in the space are avoided, or make the answer unknown.",
            "fit.unknown": "Where the shapes do not decide, fit is unknown with what would decide it.",
            "fit.target": "Without secondary_id the only container is the target; else 422 names the ids.",
        },
    ),
    *rows(
        "issue: stability",
        {
            "stability.angle": "An object topples at atan(margin / height of its centre of mass).",
            "stability.tower": "A tower topples at the analytic angle of the worst object with all that it carries.",
            "stability.marginal": "A centre of mass above the very edge of the support is marginal.",
            "stability.polygon": "The support polygon is the hull of the contacts, of a part that is not convex as well.",
            "stability.shared": "Loads shared between supports are decided by the balance of forces.",
            "stability.poses": "Rest poses and their probabilities agree with trimesh.",
            "stability.inclined": "On an inclined support an object topples at the analytic angle; the floor itself never tips.",
            "stability.unsupported": "An object that nothing touches from below is unstable.",
            "stability.unknown": "Where the contact is known too badly, stability is unknown with what would decide it.",
        },
    ),
    *rows(
        "issue: placement",
        {
            "placement.free": "Every pose that placement reports is stable and overlaps with nothing.",
            "placement.prefer": "The best pose by goal.prefer comes first.",
            "placement.clearance": "goal.clearance keeps poses away from other objects and from walls.",
            "placement.impossible": "An object without room is not placed.",
        },
    ),
    *rows(
        "issue: correct and measured",
        {
            "contact.invariant": "Rotating, translating and scaling a scene never changes a verdict of fit, stability or placement.",
            "contact.order": "The order of the objects never changes a verdict of fit, stability or placement.",
            "contact.rejected": "Too few points, and neither geometry nor image, are 422 and say what to send.",
            "contact.goal": "A member of the goal that cannot be used is 422 and named.",
        },
    ),
)
