"""Makes `deploy/lock.txt` from the pins of a release, with the hashes of their files: `python -m tests.lock`."""

import subprocess

from tests.reference import CONSTRAINTS

LOCK = CONSTRAINTS.with_name("lock.txt")
ABOVE = """\
# What a release is installed with, with the hashes of its files: `pip install --require-hashes -r deploy/lock.txt`
# Made from constraints.txt by `python -m tests.lock`, for which uv has to be installed.
"""
OPTIONS = (
    "--no-deps",
    "--generate-hashes",
    "--universal",
    "--python-version=3.11",
    "--no-header",
    "--no-annotate",
    "-q",
)


def made() -> str:
    """Ask the registry, through uv, for the hashes of all files of each pinned version."""
    pins = CONSTRAINTS.read_text(encoding="utf-8")
    command = ["uv", "pip", "compile", *OPTIONS, "-"]
    found = subprocess.run(command, input=pins, check=True, capture_output=True, text=True)
    return ABOVE + found.stdout


if __name__ == "__main__":
    LOCK.write_text(made(), encoding="utf-8")
