"""If It Fits: what the board's template needs."""

from __future__ import annotations
