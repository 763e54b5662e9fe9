"""What the console promises."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "docs/console.md",
        {
            "console.sign-in": "A session opens with name and password, ends with the sign-out, and lives in an HttpOnly, SameSite cookie of which only the digest is stored.",
            "console.password-hash": "Passwords of operators are kept as Argon2id hashes; a new password ends every other session.",
            "console.throttled": "After ten failed sign-ins of a name from one address within 15 minutes further ones from there are refused, whether the name exists or not; an address that has not failed is always heard.",
            "console.forged": "A form without the token of its session, or caused by another site, changes nothing.",
            "console.headers": "Every page has a content security policy that allows files of the service alone, and no script or style within.",
            "console.signed-in-only": "Nothing of the console but the sign-in and its files is shown without a session.",
            "console.setting": "The console is served unless SPATIAL_CONSOLE is false.",
            "console.assets": "The committed bundle was made from the sources beside it, of pinned packages, with their licences; its address changes with it.",
            "console.errors": "An error of a page is a page that says what to do, with the request id.",
            "console.accounts": "Accounts are made, their subscription is set, and the page says where they stand against the limits of their plan.",
            "console.keys": "A key is issued under a name, shown once, listed with its last use, and refused from the request after its revocation on.",
            "console.usage": "Usage is charted per day, operation and key from the ledger, and its rows are downloaded as CSV and Parquet.",
            "console.requests": "Recent requests are listed and found by id, and each leads to its flow run in the Prefect UI.",
            "console.batches": "A batch shows progress, errors and results of its items; it is cancelled, and its failed items are extracted again.",
            "console.ingest": "Runs of bulk ingest are started, watched, cancelled, repeated, and their failed files are read again.",
            "console.health": "Health shows the probes with a history that is recorded per minute, what waits, and the workers with their heartbeats.",
            "console.viewer.extract": "A file of any size is sent, extracted and charged to the account under a key that nobody holds; its document is shown and listed.",
            "console.viewer.stages": "The stages of an extraction are told as they begin and end; one that fails says why in the words of the API.",
            "console.viewer.mesh": "The mesh of an extraction is made by the converter when it is first shown, and kept with the document.",
            "console.viewer.account": "An extraction is shown under its own account only.",
            "console.viewer.picture": "A drawing is drawn from its document, and what was understood carries the ids of its sources.",
            "console.viewer.reasoning": "Reasoning tasks are asked over extractions.",
            "mesh.faces": "Every triangle of a mesh lies on the face of the document whose number it carries.",
            "mesh.instances": "Copies of a part share one mesh, and stand where the document says.",
            "mesh.colors": "A mesh has the colours of bodies and faces, linear as glTF asks for them, and instances of another colour have their own.",
            "mesh.format": "A mesh is binary glTF 2.0 that other programs read, with the edges between faces.",
            "console.tables.questions": "The page of queries offers the questions of docs/tables.md, and each runs.",
            "console.tables.answers": "An answer is shown, charted where it has a number per name, and exported as CSV, JSON or Parquet; every view is described.",
            "console.tables.bounds": "A query reads the tables and nothing else, and has bounds of time, memory, threads and number.",
            "console.operators": "Operators are added, listed, reset and removed on the command line; the first run makes one and prints the password once.",
        },
    ),
    *rows(
        "docs/console.md",
        {
            "console.browser.keys": "In a browser a key is issued, used, seen in the usage and revoked; then it is 401.",
            "console.browser.batch": "In a browser a batch is watched, cancelled, and its failed items are tried again.",
            "console.browser.formats": "In a browser a file of every format is dropped and shown, and one that cannot be read is refused in words.",
            "console.browser.drawing": "In a browser an entry lights its source on the sheet, and the other way round.",
            "console.browser.doubt": "In a browser what was read with low confidence is marked on the sheet, in its legend and in the list.",
            "console.browser.model": "In a browser faces are read and measured, sections are filled, hidden parts are respected, and a large assembly is drawn in at most 50 calls.",
            "console.browser.reasoning": "In a browser an answer is shown with its proof, and two revisions are compared side by side.",
            "console.browser.differences": "In a browser what differs between two drawings or diagrams is lit on the side that has it, and nothing else is.",
            "console.browser.stages": "In a browser the stages of an extraction are listed with their times while they run.",
            "console.browser.tables": "In a browser a query is asked, charted and downloaded.",
            "console.browser.barriers": "No page has a barrier that axe-core calls serious, at desktop and phone width, light and dark; none is wider than the window.",
            "console.browser.keyboard": "The console is used by keyboard alone: signing in, keys, files, faces, measuring, sections, lists, sheets and questions.",
        },
        needs="chromium",
    ),
)
