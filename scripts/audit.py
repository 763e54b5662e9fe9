"""Ask a list of known vulnerabilities about every locked package: python scripts/audit.py (or `make audit`).

The list is that of PyPI, or of OSV with --service osv; pip-audit asks it. A package that the list did not answer for was not audited, and
then the audit has failed, whatever it says of the others. Where all were answered, requirements/audit.json says when, of which lock, and
what was found. `--check` looks at that file alone, without a network: whether it is of this lock, recent, and without findings.

Exit status: 0 nothing is known, 1 something is, 2 there is no audit.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
LOCK: Final = ROOT / "requirements" / "main.lock"
REPORT: Final = ROOT / "requirements" / "audit.json"

TOOL: Final = "pip-audit==2.10.1"

OLDEST: Final = timedelta(days=30)
"""Age of a report above which it says too little: lists of vulnerabilities grow every day."""

SECONDS: Final = 600
"""How long the list may take."""


class NoAuditError(Exception):
    """There is no audit of this lock; the message says why, and what to do."""


def audit(uv: str, service: str) -> dict[str, Any]:
    """A report of the lock. Raises: NoAuditError where the list did not answer for every package."""
    options = ["--requirement", str(LOCK), "--disable-pip", "--require-hashes", "--format", "json"]
    command = [uv, "tool", "run", "--quiet", TOOL, *options, "--vulnerability-service", service]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    try:
        answered = json.loads(done.stdout)["dependencies"]
    except (ValueError, KeyError) as error:
        lines = done.stderr.strip().splitlines() or ["pip-audit said nothing"]
        raise NoAuditError(f"the list of {service} cannot be asked: {lines[-1]}") from error
    return report(answered, LOCK.read_text(), service, datetime.now(UTC))


def report(answered: list[dict[str, Any]], lock: str, service: str, moment: datetime) -> dict[str, Any]:
    """What is known of each package. Raises: NoAuditError where one was not answered for."""
    unknown = [one["name"] for one in answered if "vulns" not in one]
    if unknown or not answered:
        raise NoAuditError(
            f"the list of {service} did not answer for {len(unknown)} of {len(answered)} packages, {', '.join(unknown[:3])} among them; "
            "run this where the list itself can be reached: a mirror of PyPI has no list of vulnerabilities"
        )
    return {
        "timestamp": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "service": service,
        "lock_sha256": _digest(lock),
        "packages": len(answered),
        "findings": [
            {"package": one["name"], "version": one["version"], "id": known["id"], "fixed_in": known["fix_versions"]}
            for one in answered
            for known in one["vulns"]
        ],
    }


def problems(written: dict[str, Any], lock: str, now: datetime) -> list[str]:
    """Why a report does not vouch for a lock, in sentences; empty where it does."""
    moment = datetime.strptime(written["timestamp"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    found = [
        f"{one['package']} {one['version']} has {one['id']}; fixed in: {', '.join(one['fixed_in']) or 'no version yet'}"
        for one in written["findings"]
    ]
    if written["lock_sha256"] != _digest(lock):
        found.append("the audit is of another lock: run make audit")
    if now - moment > OLDEST:
        found.append(f"the audit is {(now - moment).days} days old: run make audit")
    return found


def _digest(lock: str) -> str:
    return hashlib.sha256(lock.encode()).hexdigest()


def main(argv: list[str] | None = None) -> int:
    """Audit, or look at the last audit."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--uv", default="uv", help="path of uv, which runs pip-audit")
    parser.add_argument("--service", choices=("pypi", "osv"), default="pypi", help="whose list is asked")
    parser.add_argument("--check", action="store_true", help="only look at the report of the last audit")
    chosen = parser.parse_args(argv)
    try:
        if not chosen.check:
            REPORT.write_text(json.dumps(audit(chosen.uv, chosen.service), indent=1) + "\n")
        if not REPORT.exists():
            raise NoAuditError("there is no requirements/audit.json: run make audit where a list can be reached")
    except NoAuditError as error:
        print(f"not audited: {error}", file=sys.stderr)
        return 2
    found = problems(json.loads(REPORT.read_text()), LOCK.read_text(), datetime.now(UTC))
    print("\n".join(found) or "no locked package has a known vulnerability")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
