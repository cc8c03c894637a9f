"""The program's door: errors become one line with what to do, and an exit code."""

import os
import sys

import click

from pbem.ground.terms import CharterError, TemplateError, WorldError


def main() -> None:
    """Run the terminal. Exit codes: see `pbem --help`."""
    try:
        code = _run(sys.argv[1:] or ["--help"])
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read us has seen enough; what is left in the buffer must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = _fail(f"the output could not be written: {error.strerror}.", 75)
    sys.exit(code)


def _run(words: list[str]) -> int:
    from pbem.cli import pbem

    try:
        with pbem.make_context("pbem", words) as context:
            pbem.invoke(context)
    except click.exceptions.Exit as end:
        return end.exit_code
    except click.UsageError as error:
        place = error.ctx.command_path if error.ctx else "pbem"
        return _fail(f"{error.format_message().rstrip('.')}. For help: {place} --help", error.exit_code)
    except click.ClickException as error:
        return _fail(error.format_message(), error.exit_code)
    except (CharterError, TemplateError) as error:
        return _fail(str(error), 78)
    except WorldError as error:
        return _fail(str(error), 75)
    except (click.Abort, KeyboardInterrupt, EOFError):
        return _fail("stopped.", 130)
    return 0


def _fail(message: str, code: int) -> int:
    print(f"pbem: {message}", file=sys.stderr)
    return code


if __name__ == "__main__":
    main()
