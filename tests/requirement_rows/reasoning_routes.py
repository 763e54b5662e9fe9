"""What the routes of spatial reasoning promise beyond the sentences of the spec."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

ROWS: Final[tuple[Row, ...]] = (
    *rows(
        "docs/reasoning.md",
        {
            "reasoning.non-finite-422": "A number that is not finite (NaN, 1e999) is 422 and names its path.",
            "responses.body-bounded": "A hostile body of a reasoning route is refused in bounded time and in few words.",
            "responses.body-apart": "A large body is parsed in another process, because a parser holds the interpreter's lock and would delay the requests of others.",
            "responses.free-values": "The members of input that are no scene have a bounded number of values.",
            "responses.order": "The checks come in the order of INTERPRETATION 8, and a refused request has no row and no charge.",
            "responses.ceilings-exact": "Of requests in two processes at the same time exactly as many pass as the ceiling allows.",
            "responses.ceilings-plan": "Each plan has its ceilings, which are settings; a paid plan has at least 600 a minute by default.",
            "responses.ceilings-window": "A window is a calendar minute or month in UTC by the database's clock; Retry-After says when it ends.",
            "responses.period-given-back": "A request that ends in a 5xx does not count in the billing period.",
            "responses.disconnect": "A caller that disconnects finds the answer under its Idempotency-Key.",
            "responses.finalization": "An answer whose usage cannot be written is withheld, and nothing is billed.",
            "responses-batch.runs": "Eight items of a batch share a flow run, each with a task run of its own.",
            "responses-batch.concurrent": "The items of a batch run at the same time, and each has the batch's 18 s.",
            "responses-batch.items-alone": "An item that fails, for whatever reason, fails alone, and its error names its index and path.",
            "responses-batch.ceilings": "Ceilings count items: those beyond the ceiling are 429, in request order.",
            "responses-batch.settled": "A retry of a batch with items that were 429 or 503, under its Idempotency-Key, runs and charges those alone; what was charged keeps its answer.",
            "responses-batch.unpaid": "A batch of an unpaid account is a 207 whose well-formed items are 402.",
            "responses-batch.usage": "Each item that succeeds is charged as compact JSON, in the transaction that completes the batch.",
            "responses.sent-ahead": "A scene sent ahead by upload is resolved in the place of cad_scene and previous_cad_scene.",
            "responses.sent-ahead-refused": "A reference that cannot be resolved, or is no cad.extraction.v1, is 400 or 422 with its path.",
            "upload.scene": "An upload may have the extension json, for a scene.",
            "models.io": "The card of the model says per task which inputs it takes, and the limits of each plan.",
        },
    ),
    *rows(
        "INTERPRETATION 20",
        {
            "responses.solver-log": "The detail debug carries the log of the solver, whatever the task; other details do not.",
            "responses.tokens": "Input tokens are ceil(body bytes / 4), output tokens ceil(answer bytes without usage / 4).",
            "responses-batch.statuses": "The statuses of an item are 200, 400, 402, 422, 429 and 503.",
        },
    ),
)
