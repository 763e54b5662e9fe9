"""Points on surfaces, validity, the assembled document, and the bundled sample part."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "formats: points of a boundary representation",
        {
            "sampling.area-weighted": "Each point is uniform on the object's area: faces get points by their area.",
            "sampling.prefix": "The first k points of a cloud are a fair sample, too.",
            "sampling.on-surface": "Points are on planes, cylinders, cones, spheres and tori, and within the mesh's deflection of others.",
            "sampling.seeded": "The same file and plan give the same points in every process; another seed gives others.",
            "sampling.one-cloud-an-object": "Each solid and each open shell or free face with area has one cloud under its id.",
            "sampling.instances": "Instances of one definition have the same points under their transforms.",
            "sampling.units": "Points are in the document's units.",
            "sampling.count": "An object gets points_per_object points while points_total allows it.",
            "sampling.share": "Objects that share points_total all get some, and larger ones more, none over points_per_object.",
            "sampling.rounded": "Coordinates are rounded to a power of ten at or below a millionth of the object's size.",
            "sampling.kind-box": "kind is box for a solid whose boundary lies in the six planes of a block, and for no other.",
            "sampling.kind-surface": "kind is surface for what encloses nothing.",
            "sampling.kind-container": "kind is container for a solid with exactly one cavity that holds more than its material.",
            "sampling.tessellation-failure": "A face that cannot be meshed costs its own points and no others.",
            "sampling.triangles-at-once": "The triangles of many faces, taken at once, are those that the kernel gives one by one.",
        },
    ),
    *rows(
        "formats: validity of a boundary representation",
        {
            "validity.layers": "validity asks parsed, loaded, kernel, closed, manifold, oriented and units, in this order.",
            "validity.verdict": "valid is true when all layers passed, false with first_failure when one failed, else null.",
            "validity.faults": "The kernel's faults are listed in words with the face and the objects that have them.",
            "validity.bounded": "A file with more faces than the kernel's check takes is unknown, with the reason.",
            "validity.complements": "A face that covers the rest of its torus or sphere fails the layer oriented, with a warning that names it.",
            "validity.tessellated": "Triangles without surfaces are unknown to the kernel, not invalid.",
            "validity.warnings": "Faults, crowded edges and disagreeing faces are warnings in plain words; openness is the reader's.",
        },
    ),
    *rows(
        "formats: the document",
        {
            "document.units-evidence": "units_evidence says whether the units were declared or assumed, and where.",
            "document.sampling": "sampling says the plan that the points were sampled by; shared and missing points are warned of.",
            "document.warnings-once": "Each warning is there once, in the order reader, meaning, sampling.",
            "document.meaning-merged": "What a reading means is merged into structure.",
            "document.finite": "A number that is not finite is left out with a warning that names its place.",
            "document.records": "Records that a reader made come out as the contract's models of them would, and are not validated again.",
            "document.usage-last": "The result's bytes have no usage; attaching it changes nothing else.",
            "document.summary": "A document can be told in a few readable lines.",
        },
    ),
    *rows(
        "README: the sample part",
        {
            "sample-part.reproducible": "The bundled part is what its script makes, number for number.",
            "sample-part.truth": "The bundled part's volume, size, faces and holes are those of the drawing in its script.",
        },
    ),
)
