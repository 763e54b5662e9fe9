"""The bundle of the viewer: made from the sources beside it, with the licences of what is in it."""

from __future__ import annotations

import hashlib
import json

import pytest

from api.console import assets
from tests.support.stack import ROOT

SOURCES = ROOT / "api" / "console" / "viewer"


@pytest.mark.requirement("console.assets")
def test_the_bundle_was_made_from_the_sources() -> None:
    names = ["build.mjs", "package-lock.json", *sorted(f"src/{path.name}" for path in (SOURCES / "src").iterdir())]
    digest = hashlib.sha256(b"".join(f"{name}\n".encode() + (SOURCES / name).read_bytes() for name in names))
    assert assets.content("viewer-sources.txt").decode().strip() == digest.hexdigest(), "run make assets"


@pytest.mark.requirement("console.assets")
def test_packages_are_pinned_and_what_is_bundled_comes_with_its_licence() -> None:
    wanted = json.loads((SOURCES / "package.json").read_text())
    locked = json.loads((SOURCES / "package-lock.json").read_text())["packages"]
    assert all("integrity" in row for name, row in locked.items() if name)
    licences = assets.content("viewer-licenses.txt").decode()
    for name, version in wanted["dependencies"].items():
        assert locked[f"node_modules/{name}"]["version"] == version
        assert f"{name} {version}" in licences and "Permission is hereby granted" in licences


@pytest.mark.requirement("console.assets")
def test_an_address_changes_with_the_content() -> None:
    digest = hashlib.sha256(assets.content("console.css")).hexdigest()
    assert assets.url("console.css") == f"/console/assets/console.css?{digest[:12]}"
