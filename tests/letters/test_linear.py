"""Law: no mail, however hostile, takes more than its length to read: twice as long a mail, twice as long a reading."""

import time
from collections.abc import Callable

import pytest

from pbem.letters.heads import Us
from pbem.letters.reading import Known, newly, read, written
from tests.depth import some
from tests.letters.clients import mail, part, parts

OURS = "Round 3\nDeadline tonight.\n" + "".join(f"line {n} of ours, and it is a long one\n" for n in range(60))


def _plain(line: str) -> Callable[[int], bytes]:
    return lambda n: mail(part(line * n))


def _html(text: str) -> Callable[[int], bytes]:
    return lambda n: mail(part(text * n, "text/html"))


def _both(plain: str, html: str) -> Callable[[int], bytes]:
    return lambda n: mail(parts("multipart/alternative", part(plain * n), part(html * n, "text/html")))


HOSTILE: dict[str, Callable[[int], bytes]] = {
    "orders": _plain("attack Bo 20\n"),
    "greetings": _plain("Thanks!\n"),
    "one long line": _plain("attack Bo 20 "),
    "blanks": _plain("                    "),
    "blank lines": _plain("\n\n\n\n"),
    "marks": _plain("> > > > "),
    "quoted": _plain("> Round 3\n"),
    "attributions": _plain("On Tue, Nov 24, 2026 at 8:00 AM Ember <e@example.org> wrote:\n"),
    "attributions wrapped": _plain("On Tue, Nov 24, 2026 at 8:00 AM Ember <\ne@example.org> wrote:\nx\n"),
    "almost attributions": _plain("On On On On wrote wrote : Am Am Le Le Il Il Den\n"),
    "one long attribution": _plain("On Tue, wrote Am schrieb Le a écrit "),
    "colons": _plain("a:\nb:\nc:\n"),
    "addresses": _plain("e@example.org "),
    "brackets": _plain("<e@example.org <<<< >>>> "),
    "fields": _plain("From: a\nTo: b\n"),
    "fields in one line": _plain("From: To: Sent: Subject: "),
    "blocks": _plain("From: a\nSent: 10:00\nTo: b\nSubject: c\nx\n"),
    "rules": _plain("-----Original Message-----\n"),
    "dashes": _plain("-----=====_____"),
    "signatures": _plain("-- \nAda\n> x\n"),
    "initials": lambda n: mail(
        part("".join(f"{chr(65 + n % 26)}{chr(65 + n // 26 % 26)}{chr(65 + n // 676 % 26)}> x\n" for n in range(n)))
    ),
    "forms": _plain("> ~ attack Bo, and what was wrapped off it, so long that it was wrapped\n> and more\n"),
    "lines of ours": _plain("line 7 of ours, and it is a long one\nx\n"),
    "almost ours": _plain("line 7 of ours, and it is a\nlong one line 8 of ours, or no\n"),
    "armour": _plain("-----BEGIN PGP MESSAGE-----\nx\n-----END PGP MESSAGE-----\n"),
    "open armour": _plain("-----BEGIN PGP MESSAGE-----\n"),
    "signed text": _plain("-----BEGIN PGP SIGNED MESSAGE-----\nHash: a\n"),
    "footers": _plain("Sent from my iPhone\n"),
    "almost footers": _plain("Von meinem Von meinem Diese Nachricht wurde von "),
    "notices": _plain("This e-mail and any attachments are confidential and meant for you alone, you see\n"),
    "flowed": lambda n: mail(part("> a \n>> b \n" * n, more="; format=flowed; delsp=yes")),
    "divs": _html("<div>attack Bo 20</div>"),
    "blockquotes": _html("<blockquote>x</blockquote>y"),
    "hidden": _html('<p style="display:none;color:white;font-size:0">x</p>'),
    "struck": _html("<div>a <s>attack Bo 20</s> if:</div>"),
    "struck, nested": _html("<s><b style='text-decoration:line-through'>x"),
    "struck in one line": _html("a <s>b</s> "),
    "heads": _plain("On Tue, Nov 24, 2026 at 8:00 AM\nEmber <\ne@example.org> wrote:\n\nRound 3\n"),
    "tall heads": _plain("a: b\n" * 20 + "Ember wrote:\nRound 3\n"),
    "boundaries": lambda n: mail(b"Content-Type: multipart/mixed\n\n" + b"-- x\n--" * n),
    "white in white": _html('<p style="color:white">x</p><font color=white>y</font>'),
    "white, nested": lambda n: mail(part("<body bgcolor=black>" + '<p><b style="color:white">' * n + "x", "text/html")),
    "spans, nested": _html('<span style="color:white;background:black">x'),
    "style sheets": _html("<style>.a{display:none} {{{{ </style><b class=a>x</b>"),
    "open style": _html("<style>.a{"),
    "open comments": _html("<!-- <"),
    "entities": _html("&nbsp;&lt;&amp"),
    "empty paragraphs": _html('<p class="MsoNormal"><o:p>&nbsp;</o:p></p>'),
    "two forms": _both("attack Bo 20\n", "<div>attack Bo 30</div>"),
    "two forms, other runs": lambda n: mail(
        parts("multipart/alternative", part("a b c d\n" * n), part("".join(f"<p>{n}" for n in range(n)), "text/html"))
    ),
    "parts": lambda n: mail(b"Content-Type: multipart/mixed; boundary=x\n\n" + b"--x\n\nwait\n" * n),
    "headers": lambda n: mail(part("wait\n"), headers="X-A: b\n" * n),
    "a long header": lambda n: mail(part("wait\n"), headers=f"X-A: {'(((( ' * n}\n"),
    "references": lambda n: mail(part("wait\n"), headers="References: " + "<a@b>\n " * n + "\n"),
    "recipients": lambda n: mail(part("wait\n"), headers="Cc: " + "a <a@b.example>,\n " * n + "c@d\n"),
    "encoded words": lambda n: mail(part("wait\n"), headers="Subject: " + "=?utf-8?q?a?=\n " * n + "\n"),
}


def _work(raw: bytes) -> float:
    best = 1e9
    for _ in range(3):
        start = time.process_time()
        letter = read(raw)
        newly(letter, [OURS])
        newly(letter, ())
        written(letter, Known([OURS], names={"Ada"}, us=Us("e@example.org", "Ember")))
        best = min(best, time.process_time() - start)
    return best


@pytest.mark.sweep
@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", HOSTILE)
def test_twice_as_long_a_mail_takes_twice_as_long(name: str) -> None:
    """
    From n to 8n in three steps: none of more than 3 times, where both take long enough to be told from noise.

    A step over the noise that goes wrong is tried again, since other processes share the machine.
    """
    generate = HOSTILE[name]
    n = 500
    while n < 64_000 and _work(generate(n)) < 0.01:
        n *= 2
    times = [_work(generate(n * more)) for more in (1, 2, 4, 8)]
    for step, more in enumerate((2, 4, 8)):
        if times[step + 1] > 3 * max(times[step], 0.005):
            ratio = min(_work(generate(n * more)) / max(_work(generate(n * more // 2)), 0.005) for _ in range(3))
            assert ratio < 3, (name, n, times)
    print(f"{name}: n = {n}, " + ", ".join(f"{1000 * one:.0f}" for one in times) + " ms")


@pytest.mark.parametrize("name", some(4, HOSTILE))
def test_a_hostile_mail_is_read_soon(name: str) -> None:
    """A hundred kilobytes and less of it take well under a second or two, on a machine that is busy too."""
    assert _once(HOSTILE[name](1000)) < 5


def _once(raw: bytes) -> float:
    start = time.process_time()
    newly(read(raw), [OURS])
    return time.process_time() - start


def test_a_mail_of_many_megabytes_is_bounded() -> None:
    """What stands behind the first megabytes of a mail is not read."""
    raw = mail(part("attack Bo 20 and a long line that says nothing at all to anybody here\n" * 300_000))
    assert len(raw) > 20_000_000
    assert len(read(raw).body) < 100_000
