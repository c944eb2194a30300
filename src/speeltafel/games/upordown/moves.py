"""Up or Down?: decisions and cards as text, refusals, and everything in words."""

from __future__ import annotations

RULES = "UD"
