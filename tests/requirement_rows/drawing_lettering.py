"""Texts and symbols joined to what is read as one, and dimensions found from their arrows."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = (
    *rows(
        "formats: texts of a drawing that are read as one",
        {
            "lettering.row": "A quantity, a sign and a value on one baseline are one line, a sign in a gap of a text stands in that gap.",
            "lettering.deviations": "Deviations above each other follow their nominal, upper before lower, their signs apart from digits or not.",
            "lettering.fit": "Classes above each other are H7/k6 behind their nominal.",
            "lettering.limits": "Limits above each other, and a fraction with its bar, are one.",
            "lettering.stack": "Lines of one callout or of one note are one label; sizes that stand above each other are not.",
            "lettering.apart": "Sizes beside each other are two labels.",
            "lettering.frame": "Ruled boxes that begin with a characteristic are a frame with its cells from the left, also in a note and where one text runs over several cells.",
            "lettering.datum": "A boxed letter with a stem is a datum, a boxed value is boxed, a value struck through is struck.",
            "lettering.texture": "What stands at a texture sign has that role, without the sign in its text.",
            "lettering.angle": "A label reads the same at any angle.",
            "lettering.native": "Dimensions, tolerances and MTEXT of a DXF come in the same form.",
            "lettering.claimed": "Texts that a title block, a table or the notes have claimed are in no label.",
            "lettering.role": "A label that a dimension names is its, one at the end of a leader is the leader's.",
            "lettering.extreme": "MAX or MIN words at the end of a dimension line are read with its size.",
            "lettering.rules": "A rule line is found by the stretch that it overlaps, however many strokes are level with it.",
            "lettering.robust": "Texts that cannot be placed are left out; heaps of texts cost no quadratic time.",
        },
    ),
    *rows(
        "formats: lettering that is drawn as outlines or strokes",
        {
            "outlined.read": "Lettering printed as outlines is read as it was printed.",
            "outlined.turned": "Drawn lettering is read in the four quarter turns.",
            "outlined.sheets": "Of sheets printed as outlines, 995 of 1000 reported digits are right.",
            "outlined.triangles": "Letters cut into triangles are read.",
            "outlined.strokes": "Single-stroke letters are read, and their strokes are no geometry for what is interpreted.",
            "outlined.geometry": "Hatching, threads, rectangles, circles and dashes are not read as letters.",
            "outlined.unread": "What is not read is left out and counted; a sheet with too much ink is left with a warning.",
            "outlined.document": "Drawn lettering is listed among the annotations, marked as read from outlines, and interpreted.",
            "outlined.text-layer": "A sheet with its lettering as text is not touched.",
            "outlined.model": "The classifier is below 2 MB and has a card that says what it was trained on.",
        },
    ),
    *rows(
        "formats: pictures of drawn lines",
        {
            "lines.read": "Pictures of lines of lettering are read as they were drawn, at any size; one without lettering has no characters, and one too long is not read.",
            "lines.places": "Each character of a read line is seen at the place at which it is drawn.",
            "lines.others": "Each character comes with its chance and with what it may be instead.",
            "lines.alone": "A line reads the same whatever lines are read beside it.",
            "lines.lazy": "What runs the network of lines is loaded when the first line is read, never by the fork server or for a file without drawn lettering.",
            "lines.unavailable": "Where the network of lines cannot be run, reading lines fails with a typed error that has the reason.",
            "lines.child": "Lines are read in a child of the converter, under all of its isolation measures and without a further thread.",
            "lines.model": "The network of lines is below 6 MB, is the file that its card names, and has its licence beside it.",
            "lines.private": "What runs the network of lines has no address to report its use to.",
        },
    ),
    *rows(
        "formats: text layers that say other characters than are drawn",
        {
            "layer.codes": "Codes of a code page or shifted by a constant are read as the font draws them, private ones as it says.",
            "layer.outlines": "A font whose codes no map explains, or that has none, is read from the outlines of its glyphs.",
            "layer.signs": "Signs of drawings that claim to be letters are read as signs.",
            "layer.true": "Texts whose characters are those that are drawn are not touched.",
            "layer.unread": "Characters that neither codes nor outlines say are U+FFFD, and a warning names their places.",
            "layer.document": "Repaired texts are listed among the annotations, marked, and interpreted.",
        },
    ),
    *rows(
        "formats: dimensions of a drawing that its file does not name",
        {
            "dimensioning.linear": "Two heads on one line with a text on it are a linear dimension, drawn from inside or from outside.",
            "dimensioning.open-heads": "Open heads of two strokes are heads as filled ones are.",
            "dimensioning.chain": "Dimensions of a chain that share their heads' places are told apart.",
            "dimensioning.angular": "Two heads at the ends of an arc are an angular dimension in degrees.",
            "dimensioning.radial": "R or Ø at the end of a leader is measured where the leader points at a circle.",
            "dimensioning.none": "A text without arrows is no dimension, and arrows without a text are none.",
            "dimensioning.ordinate": "Numbers at extension lines that are to scale from a common zero are ordinate dimensions, jogs and both sides included.",
            "dimensioning.ordinate-scale": "Ordinates in equal steps, as an axis or a ruler has them, count only where they have the scale of the sheet.",
            "dimensioning.ordinate-none": "Numbers of tables, zones, balloons and axes, and rows that are not to scale, are no ordinates.",
            "dimensioning.scale": "Where most dimensions agree on printed over measured, that is the scale; where they do not, there is none.",
        },
    ),
    *rows(
        "formats: views of a drawing",
        {
            "views.outlines": "Outlines that hang together are a view with its size where a dimension goes from edge to edge of it.",
            "views.native": "Of outlines as narrow as other lines, both sides must be dimensioned by the file's own dimensions.",
            "views.viewports": "The views of a layout are its viewports, without the one of the paper itself.",
            "views.none": "Frames, views that overlap, and clusters that no dimension confirms are no views.",
        },
    ),
)
