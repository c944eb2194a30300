"""`python -m benchmarks page`, `serve` or `strength`; `--help` after it says more. For speed: `speeltafel bench`."""

import sys

from benchmarks import page, serve, strength

PARTS = {"page": page.main, "serve": serve.main, "strength": strength.main}

if len(sys.argv) < 2 or sys.argv[1] not in PARTS:
    sys.exit(f"python -m benchmarks {'|'.join(PARTS)} [options]")
sys.exit(PARTS[sys.argv[1]](sys.argv[2:]))
