"""STEP and IGES readers: measures, boxes, faces, instances, units, and what is not a whole file."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "formats: boundary representation, measured",
        {
            "brep.volume-exact": "Volume agrees with the formula of the shape to 1e-9, wherever the part stands.",
            "brep.volume-approximated": "Volume agrees to 1e-9 where faces are splines or meet in approximated curves, and to 1e-7 where they touch.",
            "brep.area-exact": "Surface area and each face's area agree with the formula of the shape to 1e-9.",
            "brep.center-exact": "Centre of mass agrees with the formula of the shape to 1e-9 of its size.",
            "brep.bbox-tight": "The box is tight around curved and turned parts, not around their control points.",
            "brep.face-types": "Each face has the word for its kind of surface.",
            "brep.face-parameters": "Faces carry radius, axis, normal, origin and half angle where their surface has them.",
            "brep.normals-outward": "The normal of a plane points out of the material.",
            "brep.void": "A cavity is taken off the volume, and the solid lists its shells.",
            "brep.mirrored": "A mirrored part keeps its volume and has the mirrored place.",
            "brep.instances": "A part that is placed several times is a definition once and a solid for each placement.",
            "brep.assembly": "The product tree tells names, placements and the solids in them.",
        },
    ),
    *rows(
        "formats: boundary representation, what encloses nothing",
        {
            "brep.inside-out": "A solid that is inside out in the file has a positive volume, says reversed, and is warned of.",
            "brep.open-no-volume": "What is not closed has no volume, never 0, and a warning says so.",
            "brep.surfaces-sewn": "Surfaces that close when sewn are a closed shell with an enclosed volume, not a solid.",
            "brep.wireframe": "A file of curves is a document with curves, no solid, and a warning.",
        },
    ),
    *rows(
        "formats: units of a boundary representation",
        {
            "brep.units-step": "STEP in any unit is answered in that unit, found declared.",
            "brep.units-iges": "IGES in any unit is answered in that unit, found declared.",
            "brep.units-assumed": "A STEP file without a unit of length is read as millimeter, found assumed, with a warning.",
        },
    ),
    *rows(
        "formats: broken files",
        {
            "brep.broken-file-typed": "Whatever the bytes, reading gives a document or a typed error.",
            "brep.truncated": "A file that is cut off is a parse error that says so, or a document with a warning.",
            "brep.bbox-pieces": "The box of a face of several pieces holds the edges and corners where they meet.",
            "brep.bbox-spindle": "The box of a part of a torus that crosses its axis is that of its own sheet.",
            "brep.bad-solid": "A solid whose volume, extent or checks fail lacks those facts, with a warning that names it; the rest of the document stays.",
            "brep.losses": "A STEP file of which the kernel makes less than it states is partial and not valid; a warning names the entity.",
            "iges.losses": "An IGES file of which the kernel makes fewer faces or solids than its directory states is partial, with a warning; nothing left is a parse error.",
            "brep.unnamed": "Parts and placements without a name are read as any other.",
            "brep.empty": "An empty file is a parse error that says it is empty.",
            "brep.foreign-schema": "A Part 21 file of a schema without CAD geometry is a parse error that names the schema.",
            "brep.without-shapes": "A well-formed file without shapes is a parse error that says so.",
        },
    ),
)
