#!/bin/sh
# Finds a Python that this project runs on and hands over to scripts/setup.py. PYTHON=/path/to/python chooses one.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
fits='import sys; sys.exit(not (3, 11) <= sys.version_info[:2] < (3, 14))'

for candidate in ${PYTHON:-python3 python3.11 python3.12 python3.13}; do
    if "$candidate" -c "$fits" 2>/dev/null; then
        exec "$candidate" "$here/setup.py" "$@"
    fi
done

found=$(${PYTHON:-python3} --version 2>/dev/null || echo "none")
echo "setup: Python 3.11, 3.12 or 3.13 is needed and this machine has $found; on Debian 12 or newer: apt-get install python3 python3-venv" >&2
exit 1
