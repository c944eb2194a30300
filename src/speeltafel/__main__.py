"""The command `speeltafel`, also as `python -m speeltafel`."""

import sys


def main() -> None:
    """Run the command line; Ctrl+C ends it quietly, also while it still loads."""
    try:
        from speeltafel import cli

        cli.main()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
