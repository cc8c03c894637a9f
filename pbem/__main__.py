"""The program's door: errors become one line with what to do, and an exit code."""

from __future__ import annotations

import sys

from pbem.terms import CharterError, WorldError


def main() -> None:
    """Run the terminal. Exit codes: see `pbem --help`."""
    from pbem.cli import pbem

    try:
        pbem()
    except CharterError as error:
        sys.exit(_told(error, 78))
    except WorldError as error:
        sys.exit(_told(error, 75))
    except BrokenPipeError:
        sys.exit(0)


def _told(error: Exception, code: int) -> int:
    print(f"pbem: {error}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
