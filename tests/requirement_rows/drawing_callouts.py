"""Callouts: what the lettering of a drawing asks for."""

from tests.requirement_rows._row import Row, rows

ROWS: tuple[Row, ...] = rows(
    "docs/callouts.md",
    {
        "callouts.types": "Each of the twelve types of callout, and gdt, datum and basic, is read from its usual writings with what it means.",
        "callouts.forms": "Callouts as the standards and the practice of many countries write them are read with what they mean.",
        "callouts.measured": "A native dimension of a diameter or a radius is one also where its text has no sign.",
        "callouts.repeated": "A text that says the same callout twice is two.",
        "callouts.registry": "A callout type has one record with its documentation and its colour, and a rule; a part that is forgotten is refused with a sentence that says what to add.",
        "callouts.thread": "A thread says its standard, size, pitch or threads an inch, class, hand and starts.",
        "callouts.fit": "A fit has the deviations of ISO 286-1:2010; printed ones win and a disagreement is said.",
        "callouts.iso-286": "Limits of size are those that ISO 286 prints.",
        "callouts.spelling": "Signs and words of a callout may be spelled in any usual way and mean the same.",
        "callouts.stack": "A stacked label gives one callout a feature: the first with the whole text, the others with their own.",
        "callouts.sentence": "A feature that a sentence orders or that only a word names is a callout; a note on all such features is none.",
        "callouts.quantity": "A quantity before or behind a callout holds for every feature of its stack.",
        "callouts.centred-words": "A line that is centred under a size in letters as high, or a depth on the line of a hole, is of it; captions, columns of texts and what another size has are not.",
        "callouts.dash-counts": "A number and a size closed up with a dash are a count on a sheet that counts so before a sign; elsewhere the second is a deviation.",
        "callouts.context": "The sheet's notes say what an asterisk means and which unit its dimensions have.",
        "callouts.designators": "Letters with numbers that count parts up, as resistors R1 to R9, are no radii and no threads.",
        "callouts.size-ranges": "Ranges of a table of sizes, each of which begins where the one before ends, are no limits.",
        "callouts.tables": "The cells of a ruled table whose heading is not known are no callouts.",
        "callouts.ordinates": "Plain sizes at equal steps under one another, and sizes that name what they are of, are dimensions of their own, no limits of one size.",
        "callouts.grammar": "What stands before and behind a feature is read by named productions, each with the standard that it is from and writings that are read so.",
        "callouts.notes": "A note, or a cell of the title block, that is a requirement on surface texture and nothing else is a callout.",
        "callouts.evidence": "A callout has its label's text, sources, position and page, and a confidence.",
        "callouts.negative": "Plain sizes, prose, scales, dates, part numbers, bend notes and fasteners are no callouts.",
        "callouts.frame": "A feature control frame says its characteristic, zone, tolerance, modifiers and datums.",
        "callouts.hostile": "Any text is read in bounded time and gives valid callouts or none.",
    },
)
