"""What a mail server that we trust says of a mail's sender, header by header."""

import pytest

from pbem.letters.authentication import checked

OURS, ADA = "mx.example.org", "ada@mail.example.org"


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("dmarc=pass header.from=mail.example.org", "pass"),
        ("dkim=pass header.d=example.org", "pass"),
        ("dkim=pass header.i=@MAIL.example.org", "pass"),
        ("spf=pass smtp.mailfrom=bounce@mail.example.org", "pass"),
        ("dkim=pass header.d=evil.mail.example.org", "none"),
        ("dkim=pass header.d=ample.org", "none"),
        ("dkim=pass header.d=org", "none"),
        ("spf=pass smtp.helo=mail.example.org", "none"),
        ("dmarc=fail header.from=mail.example.org; dkim=pass header.d=example.org", "fail"),
        ("dkim=fail header.d=example.org; spf=pass smtp.mailfrom=mail.example.org", "pass"),
        ("spf=fail smtp.mailfrom=mail.example.org", "fail"),
        ('dkim=none reason="dkim=pass header.d=example.org"', "none"),
        ("dkim=none (; dkim=pass header.d=example.org)", "none"),
        ("", "none"),
    ],
)
def test_a_pass_counts_for_the_senders_domain_or_one_above_it(said: str, verdict: str) -> None:
    """One below it, one that only ends alike, what stands in quotes or comments, and other properties are none."""
    assert checked([f"{OURS}; {said}"], [OURS], ADA) == verdict


def test_only_the_topmost_header_of_our_own_server_is_believed() -> None:
    """What others wrote above it, or somebody below it, is passed over; the name may be in capitals, with a version."""
    good, bad = "; dmarc=pass header.from=mail.example.org", "; dmarc=fail header.from=mail.example.org"
    assert checked([f"mx.example.net{bad}", f"MX.example.org 1{good}", f"{OURS}{bad}"], [OURS], ADA) == "pass"
    assert checked([f"mx.example.net{good}"], [OURS], ADA) == checked([], [OURS], ADA) == "none"
