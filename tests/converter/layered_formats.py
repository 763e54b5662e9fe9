"""The trial formats, and one that is read without the geometry kernel, so that the fork server has two layers."""

from dataclasses import replace

from tests.converter.trial_formats import FORMATS as TRIALS
from tests.converter.trial_formats import TRIAL

FORMATS = (*TRIALS, replace(TRIAL, name="drawing", extensions=("drawing",), kind="drawing2d"))
