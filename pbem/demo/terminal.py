"""A seat of the demonstration for the person at the terminal."""

from collections.abc import Callable
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from pbem.demo.minds import asks
from pbem.demo.pages import GO_ON
from pbem.demo.story import Tell

Prompt: TypeAlias = Callable[..., str]
Ask: TypeAlias = Callable[[str], str]
How: TypeAlias = Literal["editor", "lines", "mail"]


class Seat(NamedTuple):
    """
    A person at the terminal.

    Shape: `answer` takes a letter's text, "" lets it be; `pause` is asked before time passes, with the Maildir
    and the mail server's port: whether to look for mail once more.
    """

    answer: Callable[[str], str] | None
    pause: Callable[[Path, int], bool] | None


def at_terminal(
    tell: Tell, edit: Callable[[str], str | None], prompt: Prompt, how: How, ask: Ask = lambda question: ""
) -> Seat:
    """
    Give the terminal a seat.

    Shape: "editor" opens an editor with each letter that asks for something quoted in it; "lines" asks after
    every letter for one line after the other; "mail" leaves reading and writing to a mail client of yours. `ask`
    waits for a key, so that nothing goes on before a letter was read.
    """
    explained: list[str] = []

    def explain(words: str) -> None:
        if not explained:
            explained.append(words)
            tell(words)

    def answer(letter: str) -> str:
        if how == "lines":
            explain(HOW_LINES)
            return _lines(prompt)
        if not asks(letter):
            ask(GO_ON)
            return ""
        explain(HOW_EDITOR)
        if ask(OPEN_EDITOR) in ("n", "N"):
            return ""
        quoted = "\n".join(f"> {row}".rstrip() for row in letter.split("\n"))
        text = edit(f"\n\n{quoted}\n") or ""
        return "" if text.strip() == quoted.strip() else text

    def pause(maildir: Path, port: int) -> bool:
        tell(f"\nYour letters: {maildir}. Send yours through 127.0.0.1, port {port}, without login or TLS.")
        return prompt("Enter: look for your mail; go: let time pass", default="", show_default=False) != "go"

    return Seat(None if how == "mail" else answer, pause if how == "mail" else None)


HOW_LINES = """\
Type your answer line by line; a line with a single "." ends it and sends it.
An empty line right away is no answer, and blank lines inside are kept."""

HOW_EDITOR = """\
That letter asks for an answer. Your editor opens with the letter quoted: write
your lines above it, save, and close; only what you write counts. Closed as it
is, it sends nothing."""

OPEN_EDITOR = "-- Enter: answer in your editor   n: no answer --"


def _lines(prompt: Prompt) -> str:
    rows: list[str] = []
    while True:
        asked = 'next line, or "." to send >' if rows else "your answer, or Enter for none >"
        row = prompt(asked, default="", show_default=False, prompt_suffix=" ")
        if row == "." or not (row or rows):
            return "\n".join(rows)
        rows.append(row)
