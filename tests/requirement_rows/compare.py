"""compare: what changed between two revisions."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "issue: compare",
        {
            "compare.shape": "compare answers same or changed, with cad_scene and cad_scene_diff, and proof of alignment, matching and deviation.",
            "compare.previous-missing": "compare without a previous scene is rejected with what to send.",
            "compare.kinds-differ": "Scenes of different kinds are unknown, with the reason.",
            "compare.header": "A STEP file whose header alone changed is the same.",
            "compare.nothing": "A document compared with itself has no change, whatever the order of its objects.",
            "compare.mirrored": "With previous and current exchanged, added and removed are exchanged and the rest stays.",
            "compare.alignment": "A scene that is moved as a whole is an alignment, and not a change of every object.",
            "compare.fixed-frame": "With goal.alignment identity, a scene that is moved as a whole is moved.",
            "compare.moved": "A body that is moved or turned is moved by that much, among equal bodies too.",
            "compare.hole": "A changed hole is named with both diameters, place and axis.",
            "compare.letters": "A changed hole is named among dozens of changed letter faces, which are counted.",
            "compare.roles": "A changed cylinder is a hole or a boss where geometry proves it.",
            "compare.added-removed": "Bodies that only one model has are added or removed.",
            "compare.renamed": "A body with another name is renamed; names that programs generate are none.",
            "compare.image": "A mirror image is not the same part.",
            "compare.mass": "Volume, area, size and, with a density, mass are reported with their differences.",
            "compare.deviation": "Deviations of exact faces are signed: positive where material was added.",
            "compare.units": "Lengths in another unit are converted before they are compared.",
            "compare.density": "A density that is no positive number is rejected.",
            "compare.nodes": "Nodes that are moved, resized, renamed, restyled, redrawn, put into another container or changed are told apart.",
            "compare.structure": "Nodes with equal labels and new ids are matched by what they are connected to.",
            "compare.edges": "Edges that are rewired, relabelled, restyled, rerouted, redrawn, added or removed are told apart.",
            "compare.container": "Nodes that moved with their container have not moved themselves.",
            "compare.new-ids": "New ids alone are no change.",
            "compare.callouts": "A callout with another fit class is one changed callout.",
            "compare.decimals": "More decimals at the same nominal are a change, with what the general tolerance makes of it.",
            "compare.tables": "Rows of parts list and revisions, notes and title block fields that changed are named.",
            "compare.entities": "Entities that are added, moved, resized or restyled are told apart.",
            "compare.sheet-moved": "A drawing that is moved on its sheet is an alignment.",
            "compare.clouds": "Two samples of one surface are the same; a larger one is changed by the signed distance.",
            "compare.cloud-motion": "The motion of a point cloud is found, whatever its points are.",
        },
    ),
)
