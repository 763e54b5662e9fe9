"""What the repository, the set-up and the command line promise."""

from __future__ import annotations

from typing import Final

from tests.requirement_rows._row import Row, rows

_REPOSITORY: Final = rows(
    "CONTRIBUTING: house rules, dependencies",
    {
        "repository.locks-hashed": "Every package of the locks is pinned to one version and carries hashes.",
        "repository.locks-cover": "Every dependency of pyproject.toml is in the locks, and main.lock is part of dev.lock.",
        "repository.no-hosts": "No file of ours names a package index or a path of somebody's machine; there is no uv.lock.",
        "repository.imports": "The import contracts hold, and each of them fails when it is violated.",
        "repository.patterns": "No regular expression of the readers has a repetition that divides one run of characters in exponentially many ways.",
        "repository.environment": "storage/settings.py is the only reader of settings in the environment.",
        "repository.ci": "CI runs the test command of the README and nothing else.",
        "repository.commands": "Every make target, module and spatial command that a document names exists.",
        "repository.settings-documented": "README's table has every setting with its default, and no other.",
        "repository.readme-answer": "README's answer and summary are those of the service for the bundled part.",
        "repository.formats-documented": "docs/formats.md has every format, its extensions, and whether it is read.",
        "repository.links": "Every relative link of the documentation leads to a file.",
        "repository.licence": "LICENSE is the text of the GNU AGPL version 3.",
        "repository.fleet": "The compose file runs commands that exist, with settings that exist; only the API is published.",
        "repository.fleet-converter": "The converter's container has no network, no capabilities, no secrets, and a read-only root.",
        "repository.prefect-yaml": "prefect.yaml has the deployments that bootstrap registers.",
    },
)

_SETUP: Final = rows(
    "README: the two commands",
    {
        "setup.idempotent": "A second make setup does nothing, fast.",
        "setup.concurrent": "Two makes at once take turns.",
        "setup.python": "A Python that is too old is one sentence that names what is needed.",
        "setup.ensurepip": "A Python that cannot make environments with pip is one sentence that names the Debian package.",
        "setup.system-libraries": "A missing system library is one sentence that names its Debian package.",
        "setup.uv": "uv is found on PATH, or installed into the project from a lock with hashes.",
        "setup.failures": "A missing compiler, a full disk, a wrong hash or an index out of reach is one sentence.",
        "setup.stale-lock": "A lock that lacks what pyproject.toml asks for is one sentence.",
    },
)

_COMMAND: Final = rows(
    "README: the command line",
    {
        "cli.help": "Every command explains itself and takes --home where it touches data or settings.",
        "cli.usage-error": "A mistyped command exits with 2 and shows the usage.",
        "cli.settings": "Settings of the environment hold on the command line; a wrong one is one sentence.",
        "cli.run": "spatial run becomes the embedded stack, with its flags.",
        "cli.extract.json": "spatial extract prints the document, alone, where a program reads.",
        "cli.extract.summary": "On a terminal it prints a summary.",
        "cli.extract.output": "--output writes the document to a file and leaves the summary; - is stdout.",
        "cli.extract.target": "--target chooses structure, points or both.",
        "cli.extract.progress": "Progress goes to stderr.",
        "cli.extract.typed-error": "A file that cannot be read is one sentence and exit status 1.",
        "cli.extract.unmetered": "It meters nothing and writes no data.",
        "cli.extract.broken-pipe": "A reader that goes away is no crash.",
        "cli.extract.same-as-api": "The document is the one that the API answers, ids and usage aside.",
        "cli.keys.issue": "spatial keys issue prints a working key alone on stdout.",
        "cli.keys.subscription": "The subscription of an account is set with its key, and kept where none is named.",
        "cli.keys.list": "spatial keys list shows whose a key is, never the key.",
        "cli.keys.revoke": "A key is revoked by itself, its prefix or its id, and refused from then on.",
        "cli.keys.without-stack": "Without a running stack the embedded database is started for the moment.",
        "cli.home.absent": "A command that only reads refuses a home without a stack, creates nothing, and names the stack that runs elsewhere.",
        "cli.doctor.running": "spatial doctor shows the settings of the running stack where they differ from those of this shell.",
        "run.system-libraries": "A missing system library stops the start with one sentence that names its Debian package.",
        "cli.keys.database-of-settings": "A database of the settings is migrated and used; out of reach it is one sentence.",
        "cli.usage": "spatial usage shows tokens by account and day, the latest included.",
        "cli.usage.by": "spatial usage groups by account, key, operation, route, format, day or month, with the names of accounts and keys.",
        "cli.doctor.settings": "spatial doctor lists every setting, its value and its source, and no secret.",
        "cli.doctor.idle": "What does not run and was not asked for is idle, not broken.",
        "cli.doctor.stack": "Of a running stack it says that every part is in order.",
        "cli.doctor.broken": "What is configured and broken gets a remedy, and exit status 1.",
        "cli.doctor.plain": "Without a terminal its output is plain text, in any encoding.",
    },
)

ROWS: tuple[Row, ...] = (*_REPOSITORY, *_SETUP, *_COMMAND)
