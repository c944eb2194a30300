"""`python -m benchmarks speed`, `search` or `strength`; `--help` after it says more."""

import sys

from benchmarks import search, speed, strength

PARTS = {"speed": speed.main, "search": search.main, "strength": strength.main}

if len(sys.argv) < 2 or sys.argv[1] not in PARTS:
    sys.exit(f"python -m benchmarks {'|'.join(PARTS)} [options]")
sys.exit(PARTS[sys.argv[1]](sys.argv[2:]))
