"""`python -m speeltafel` is the command `speeltafel`."""

from speeltafel.cli import main

main()
