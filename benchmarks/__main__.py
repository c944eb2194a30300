"""`python -m benchmarks page` or `serve`; `--help` after it says more. The others: `speeltafel bench` and `ladder`."""

import sys

from benchmarks import page, serve

PARTS = {"page": page.main, "serve": serve.main}

if len(sys.argv) < 2 or sys.argv[1] not in PARTS:
    sys.exit(f"python -m benchmarks {'|'.join(PARTS)} [options]")
sys.exit(PARTS[sys.argv[1]](sys.argv[2:]))
