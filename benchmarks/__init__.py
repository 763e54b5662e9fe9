"""What the service is measured by: `python -m benchmarks`."""

import os

# As the converter's children have it: threads of OpenBLAS that wait for each other count as processor time.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
