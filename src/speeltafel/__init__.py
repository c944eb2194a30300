"""speeltafel: a digital table for four modern small-box games."""
