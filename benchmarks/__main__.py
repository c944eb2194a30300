"""`python -m benchmarks speed` and `python -m benchmarks strength`; `--help` after either says more."""

import sys

from benchmarks import speed, strength

PARTS = {"speed": speed.main, "strength": strength.main}

if len(sys.argv) < 2 or sys.argv[1] not in PARTS:
    sys.exit(f"python -m benchmarks {'|'.join(PARTS)} [options]")
sys.exit(PARTS[sys.argv[1]](sys.argv[2:]))
