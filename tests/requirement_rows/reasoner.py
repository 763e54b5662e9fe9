"""What the reasoner and its desktop workers promise beyond the spec."""

from tests.requirement_rows._row import Row

_ISSUE = "docs/reasoning.md: how it runs"

ROWS: tuple[Row, ...] = (
    Row("reasoner.child-per-task", "Every task is solved in a forked process that ends with it", _ISSUE),
    Row(
        "reasoner.refusal",
        "A refusal of a solver reaches the caller in its own words, a fault without its internals",
        _ISSUE,
    ),
    Row("reasoner.deadline", "A solver that hangs is killed at its deadline", _ISSUE),
    Row("reasoner.abandoned", "Abandoning a task kills its process", _ISSUE),
    Row("reasoner.memory", "A solver over its memory limit is ended, and the caller is told the limit", _ISSUE),
    Row("reasoner.fair", "Long solves make room for those that wait, as long as there is memory", _ISSUE),
    Row("reasoner.crash", "A solver that crashes ends its own task with a retryable error, and no other", _ISSUE),
    Row(
        "reasoner.loaded-when-needed",
        "The libraries of the solvers are loaded for the first task, and given back when none follows",
        _ISSUE,
    ),
    Row("reasoner.isolated", "A solver reaches no network", _ISSUE),
    Row(
        "reasoner.tasks",
        "Each of the twelve tasks has a solver, which says what is missing in an empty request",
        _ISSUE,
    ),
    Row(
        "desktop.token", "The routes of desktop workers need their token, and refuse everyone where none is set", _ISSUE
    ),
    Row(
        "desktop.prefect-allowed",
        "A desktop worker reaches only those requests of the Prefect server that it needs",
        _ISSUE,
    ),
    Row("desktop.task-once", "A task is read until it expires and ended once; afterwards its URLs answer 404", _ISSUE),
    Row("desktop.wakes", "A waiting worker is told at once when a task was announced", _ISSUE),
    Row(
        "desktop.outbound-only",
        "A desktop worker solves tasks from a network in which only the proxy can be reached",
        _ISSUE,
    ),
    Row(
        "desktop.lost",
        "With the worker killed the answer is 503 within 18 s, and the abandoned run is cancelled",
        _ISSUE,
    ),
    Row("desktop.crash", "A caller whose task crashed the worker's solver is told at once", _ISSUE),
    Row(
        "desktop.fallback",
        "With SPATIAL_LOCAL_FALLBACK the API's machine answers from geometry, and router says so",
        _ISSUE,
    ),
)
