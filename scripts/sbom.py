"""Write requirements/sbom.json from the lock of the service: python scripts/sbom.py (or `make sbom`).

A software bill of materials in CycloneDX 1.6 (ECMA-424): each locked package with its version and package URL, and the digest of the
lock, which has the hashes of their files. It is what an auditor compares with lists of known vulnerabilities; a test fails where it is
older than the lock.
"""

from __future__ import annotations

import hashlib
import json
import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
LOCK: Final = ROOT / "requirements" / "main.lock"
REPORT: Final = ROOT / "requirements" / "sbom.json"

_ENTRY: Final = re.compile(r"^([a-z0-9-]+)(?:\[[^\]]*\])?==([^\s;\\]+)", re.MULTILINE)


def components(lock: str) -> list[dict[str, str]]:
    """The packages of a lock as CycloneDX components, in its order."""
    return [_component(name, version) for name, version in _ENTRY.findall(lock)]


def _component(name: str, version: str) -> dict[str, str]:
    purl = f"pkg:pypi/{name}@{version}"
    return {"type": "library", "bom-ref": purl, "name": name, "version": version, "purl": purl}


def report(lock: str, moment: datetime) -> dict[str, Any]:
    """The bill of materials of a lock."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": {
                "type": "application",
                "name": project["name"],
                "version": project["version"],
                "licenses": [{"expression": project["license"]}],
                "hashes": [{"alg": "SHA-256", "content": hashlib.sha256(lock.encode()).hexdigest()}],
            },
        },
        "components": components(lock),
    }


if __name__ == "__main__":
    REPORT.write_text(json.dumps(report(LOCK.read_text(), datetime.now(UTC)), indent=1) + "\n")
