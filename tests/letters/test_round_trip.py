"""Law: whatever a person writes in an ordinary client, those lines are read, and no other."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from pbem.language.phrases import clean
from pbem.letters.reading import newly, read
from tests.letters.clients import CLIENTS, LETTER, PLACES, Place, composed, expected

NAMES = st.sampled_from(["Cuttlefish", "doctor cuttlefish", "Plastiquegirl", "mantisman", "Zoë the Great"])
NUMBERS = st.integers(0, 120).map(str)
LINES: Mapping[str, st.SearchStrategy[str]] = {
    "attack": st.builds("attack {} {}".format, NAMES, NUMBERS),
    "defend": st.builds("Defend {}".format, NUMBERS),
    "use": st.builds("use Laser Eyes on {} x{}".format, NAMES, NUMBERS),
    "if": st.builds("if attack from {} >= {}: wait".format, NAMES, NUMBERS),
    "bid": st.builds("bid Tough Skin {} then {}  # sealed".format, NUMBERS, NUMBERS),
    "field": st.builds("ask me: {}".format, NAMES),
    "fields": st.builds("block first: {}, {}".format, NAMES, NAMES),
    "press": st.builds("press to {}: at {} o'clock".format, NAMES, NUMBERS),
    "list": st.builds("- attack {} {}".format, NAMES, NUMBERS),
    "ruling": st.builds("overrule V{} = {} because I say so".format, NUMBERS, NUMBERS),
    "clock": st.just("deadline 2026-11-24 20:00 Europe/London"),
    "address": st.just("replace bo by cy@example.org"),
    "word": st.sampled_from(["ready", "wait", "status", "no", "2", "on", "From: me", "To: you", "Date: now", "--> go"]),
    "power": st.text("abcdefghij ,.'", min_size=1, max_size=50).map(lambda text: f"text: {text.strip()}"),
}
WRITTEN = st.lists(st.one_of(*LINES.values()), min_size=1, max_size=8)


@given(st.sampled_from(sorted(CLIENTS)), st.sampled_from(PLACES), WRITTEN)
def test_what_is_written_is_read(client: str, place: Place, written: list[str]) -> None:
    """Lines of orders, rulings, press and bare answers come back as they were, from any client and any place."""
    if place == "form":
        written = written[:4]
    if "wrap" in client:
        written = [line for line in written if len(line) <= 50] or ["wait"]
    if client in ("polish", "outlook with tabs, Latin-1"):
        written = [line.replace("ë", "e") for line in written]
    found = [line.text for line in newly(read(CLIENTS[client](composed(place, written))), [LETTER])]
    assert [clean(line) for line in found] == [clean(line) for line in expected(place, written)]
