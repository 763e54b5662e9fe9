"""A formats table with one format, whose files are scripts of what its reader shall do."""

from spatial.contract.formats import Format

FORMATS = (
    Format(
        name="trial",
        extensions=("trial",),
        title="Trial",
        media_type="application/json",
        kind="brep",
        looks_like=lambda head: head.startswith(b"{"),
        reader="tests.converter.trial_reader",
    ),
)
