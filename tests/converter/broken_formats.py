"""A formats table whose reader cannot be loaded, as happens where the system lacks a library."""

from dataclasses import replace

from tests.converter import trial_formats

FORMATS = tuple(replace(row, reader="tests.converter.broken_reader") for row in trial_formats.FORMATS)
