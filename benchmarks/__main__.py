"""`python -m benchmarks page`, `search`, `speed` or `strength`; `--help` after it says more."""

import sys

from benchmarks import page, search, speed, strength

PARTS = {"page": page.main, "speed": speed.main, "search": search.main, "strength": strength.main}

if len(sys.argv) < 2 or sys.argv[1] not in PARTS:
    sys.exit(f"python -m benchmarks {'|'.join(PARTS)} [options]")
sys.exit(PARTS[sys.argv[1]](sys.argv[2:]))
