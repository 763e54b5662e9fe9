"""A formats table whose files are scripts of what their reader shall do."""

from dataclasses import replace

from spatial.contract.formats import Format

TRIAL = Format(
    name="trial",
    extensions=("trial",),
    title="Trial",
    media_type="application/json",
    kind="brep",
    looks_like=lambda head: head.startswith(b"{"),
    reader="tests.converter.trial_reader",
)

FORMATS = (
    TRIAL,
    replace(TRIAL, name="step", extensions=("step",)),
    replace(TRIAL, name="named", extensions=("named",), optional_parts=("names",)),
)
