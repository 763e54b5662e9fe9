"""A formats table whose reader cannot be loaded, as happens where the system lacks a library."""

from dataclasses import replace

from tests.converter import trial_formats

FORMATS = (replace(trial_formats.FORMATS[0], reader="tests.converter.broken_reader"),)
