"""
G5. Nobody acts for another player or as moderator without that person's token and that person's address.

A forged mail changes nothing and tells the forger nothing; whose token it held is told, and the token counts no more.
"""

import hashlib
import re
import shutil
from collections.abc import Callable, Iterator
from datetime import timedelta
from itertools import count, islice, product
from pathlib import Path

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pbem.ground.terms import GameName, Mail, Seat
from pbem.hall.keeping import mail_audit
from pbem.hall.mail.incoming.checks import held, intake, moving
from pbem.hall.mail.incoming.desk import pending
from pbem.hall.mail.incoming.desk.desk import Case
from pbem.hall.mail.incoming.unpack import unpacking
from pbem.hall.mail.outgoing import caps
from pbem.hall.store.pausing import at_once
from pbem.hall.sweep.reindexing import reindex
from pbem.table.fold.journal import OrdersReceived, RulingGiven, TokenLeaked
from pbem.testing.room import ARENA, NOON, SERVER
from tests.conftest import Room, flat, unvouched

ADA, BO, GWEN, EVE = "ada@example.org", "bo@example.org", "gwen@example.org", "eve@example.com"

TOKENS = ("none", "mine", "Bo's", "other game", "old turn", "leaked", "moderator's")
SENDERS = {
    "registered": "Ada <ada@example.org>",
    "in capitals": "ADA@Example.ORG",
    "other registered": "bo@example.org",
    "moderator": "gwen@example.org",
    "unknown": "eve@example.com",
    "two addresses": "ada@example.org, eve@example.com",
    "group": "friends: ada@example.org;",
    "display name": '"ada@example.org" <eve@example.com>',
    "comment": "ada@example.org (x) <eve@example.com>",
    "homoglyph": "ada@ex\u0430mple.org",
    "plus variant": "ada+x@example.org",
    "dot variant": "a.da@example.org",
    "null": "<>",
    "none": "",
}
RESULTS = {
    "none": "",
    "aligned": f"Authentication-Results: {SERVER}; dkim=pass header.d=example.org",
    "unaligned": f"Authentication-Results: {SERVER}; dkim=pass header.d=evil.example.net",
    "fail": f"Authentication-Results: {SERVER}; dmarc=fail header.from=example.org",
    "another server's": "Authentication-Results: mx.example.net; dmarc=pass header.from=example.org",
    "forged below ours": f"Authentication-Results: {SERVER}; spf=fail smtp.mailfrom=example.org\n"
    f"Authentication-Results: {SERVER}; dmarc=pass header.from=example.org",
    "in a comment": f"Authentication-Results: {SERVER}; dkim=none (dkim=pass header.d=example.org)",
}
PLACES = ("To", "Cc", "Bcc", "in the text")
POLICIES = ("moderator", "everybody", "nobody")
PEOPLE = {
    "registered": ADA,
    "in capitals": ADA,
    "other registered": BO,
    "moderator": GWEN,
    "unknown": EVE,
    "display name": EVE,
    "homoglyph": "ada@ex\u0430mple.org",
    "plus variant": "ada+x@example.org",
    "dot variant": "a.da@example.org",
}
"""Who a mail is from, by sender; those that are not here have no one clear address."""
OWNERS = {"mine": ADA, "old turn": ADA, "Bo's": BO, "moderator's": GWEN}


@pytest.fixture(scope="module")
def table_of_truth(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Room, dict[str, str]]]:
    """Two games in their second tide, with every token that somebody may hold."""
    room = Room(tmp_path_factory.mktemp("truth") / "arena")
    tokens = {"none": "", "mine": "", "Bo's": "", "other game": "", "old turn": "", "leaked": "", "moderator's": ""}
    for name in ("tide-1", "tide-2"):
        room.found("ada", "bo", name=name)
    tokens["old turn"] = room.arena.token(room.table("tide-1"), Seat("ada"))
    for name in ("tide-1", "tide-2"):
        close(room, name)
    table = room.table("tide-1")
    tokens["leaked"] = room.arena.token(table, Seat("ada"))
    room.write(EVE, "bid 0", to=f"arena+tide-1.{tokens['leaked']}@example.org", subject="x")
    room.sweep()
    table = room.table("tide-1")
    tokens |= {
        "mine": room.arena.token(table, Seat("ada")),
        "Bo's": room.arena.token(table, Seat("bo")),
        "moderator's": room.arena.token(table, None),
        "other game": room.arena.token(room.table("tide-2"), Seat("ada")),
    }
    assert len(set(tokens.values())) == len(TOKENS)
    yield room, tokens
    room.arena.close()


def close(room: Room, name: str) -> None:
    """Let both players bid, so that the first tide ends."""
    for who, coins in ((ADA, 2), (BO, 1)):
        room.write(who, f"bid {coins}", to=room.reply_to(who, f"[{name}] Tide 1"), subject=f"Re: [{name}] Tide 1")
    room.sweep()
    assert room.table(name).number == 2


def mail(token: str, sender: str, results: str, place: str, said: str = "bid 3") -> Mail:
    """Write a mail as an attacker may."""
    address = f"arena+tide-1.{token}@example.org" if token else ARENA
    shown = address if place in ("To", "Cc") else "friends@example.com"
    heads = [f"Delivered-To: {ARENA if place == 'in the text' else address}", results]
    heads += [f"From: {sender}"] * bool(sender)
    heads += [f"{'Cc' if place == 'Cc' else 'To'}: {shown}", "Subject: [tide-1] Tide 2", "Message-ID: <m@example.net>"]
    quoted = f"\n> From: {address}\n> Reply-To: {address}\n> [tide-1 {token}]\n" if place == "in the text" else ""
    raw = "\n".join([*filter(None, heads), "", said, quoted]).encode()
    return Mail("1", NOON, hashlib.sha256(raw).hexdigest(), raw)


def expected(token: str, sender: str, results: str, place: str, policy: str) -> str:
    """Say what must become of a mail, by the rules alone."""
    who = PEOPLE.get(sender)
    owner = OWNERS.get(token) if place != "in the text" else None
    if who is None and "@" in SENDERS[sender]:
        return "held" if owner else "unreadable"  # its owner is asked
    if who is None:
        return "automatic"
    if sender == "plus variant" and owner == ADA:
        return "held"
    shown = {"aligned": "pass", "fail": "fail", "forged below ours": "fail"}.get(results, "none")
    if owner is None:
        return "stranger" if who not in (ADA, BO, GWEN) else "unkept" if shown == "fail" else "held"
    if owner != who:  # what a stranger says to the moderator's token is no ruling, so a program may have said it
        return "held" if owner == GWEN and who not in (ADA, BO, GWEN) else "leaked"
    if place == "Bcc":
        return "held"
    if policy == "nobody":
        return "acts"
    needs = policy == "everybody" or owner == GWEN
    return "acts" if shown == "pass" or (shown == "none" and not needs) else "held"


def evident(results: str, *, has_token: bool) -> str:
    """Say what a mail that is held shows of its writer, by which it is counted."""
    if has_token:
        return "failed" if results in ("fail", "forged below ours") else "token"
    return "server" if results == "aligned" else "none"


def became(found: object) -> str:
    """Say what did become of it."""
    match found:
        case Case():
            return found.why
        case TokenLeaked():
            return "leaked"
        case OrdersReceived() | RulingGiven():
            return "acts"
    return str(found)


@pytest.mark.parametrize(
    ("policy", "share"), [(POLICIES[0], 5), *(pytest.param(one, 1, marks=pytest.mark.sweep) for one in POLICIES)]
)
def test_who_may_act(table_of_truth: tuple[Room, dict[str, str]], policy: str, share: int) -> None:
    """
    Every token x From x Authentication-Results x place of our address, under each policy of the charter.

    Of those under the first policy a fifth; a sweep tries them all.
    """
    room, tokens = table_of_truth
    ledger = room.arena.ledger(GameName("tide-1"))
    charter = msgspec.structs.replace(ledger.table.charter, authentication=policy)
    table = msgspec.structs.replace(ledger.table, charter=charter)
    seen: dict[str, int] = {}
    for token, sender, results, place in islice(product(TOKENS, SENDERS, RESULTS, PLACES), 0, None, share):
        row = f"{token}, {sender}, {results}, {place}"
        received = mail(tokens[token], SENDERS[sender], RESULTS[results], place)
        parcel = unpacking.unpack(room.arena, received)
        found = at_once(intake.admit(room.arena, ledger, table, parcel, room.clock.now()))
        wanted = expected(token, sender, results, place, policy)
        assert became(found) == wanted, row
        seen[wanted] = seen.get(wanted, 0) + 1
        match found:
            case Case(why="held", evidence="machine"):
                assert found.to == GWEN, row
            case Case(why="held"):
                owner = OWNERS.get(token) if place != "in the text" else None
                asked = owner if sender not in PEOPLE or sender == "plus variant" else PEOPLE[sender]
                assert found.to == asked, row
                has_token = owner == asked
                assert found.evidence == evident(results, has_token=has_token), row
            case Case(why="unreadable" | "automatic"):
                assert not found.answer, row
            case OrdersReceived():
                assert found.taken == (token != "old turn"), row
                assert found.seat == ("bo" if token == "Bo's" else "ada"), row
            case TokenLeaked():
                assert found.seat == {"Bo's": "bo", "moderator's": ""}.get(token, "ada"), row
    assert {"acts", "automatic", "held", "leaked", "stranger", "unkept", "unreadable"} == set(seen), seen
    assert sum(seen.values()) >= len(TOKENS) * len(SENDERS) * len(RESULTS) * len(PLACES) / share


def test_the_right_token_from_a_wrong_address_counts_no_more(room: Room) -> None:
    """The forger is told nothing, the owner once; then only a letter to the owner has the token that counts."""
    room.found("ada", "bo")
    stolen = room.reply_to(ADA)
    for coins in (7, 8):
        room.write(EVE, f"bid {coins}", to=stolen, subject="Re: [tide-1] Tide 1")
        room.sweep()
    assert not room.table().sets.hand
    assert "moderates games by mail" in flat(room.last(EVE)) and len(bodies(room, EVE)) == 1  # once it is unknown
    told = [text for text in bodies(room, ADA) if "A mail in your name" in text]
    assert len(told) == 1 and "bid" not in told[0] and "eve@" not in told[0]
    room.write(ADA, "bid 3", to=stolen, subject="Re: [tide-1] Tide 1")
    room.sweep()
    assert not room.table().sets.hand and "| confirm" in room.last(ADA)
    room.write(ADA, "confirm")
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 3",)


def test_that_an_old_token_is_in_other_hands_is_told_once(room: Room) -> None:
    """It gives no orders any more, so its owner need not hear of each mail."""
    room.found("ada", "bo")
    old = opened_at(room, "ada")
    close(room, "tide-1")
    for coins in (7, 8, 9):
        room.write(EVE, f"bid {coins}", to=old, subject="Re: [tide-1] Tide 1")
        room.sweep()
    assert sum("A mail in your name" in text for text in bodies(room, ADA)) == 1 and not room.letters(EVE)


def opened_at(room: Room, seat: str) -> str:
    """Return the address to which the letters of this phase to a seat are answered."""
    return f"arena+tide-1.{room.arena.token(room.table(), Seat(seat))}@example.org"


def bodies(room: Room, who: str) -> list[str]:
    """Return the texts of all letters to somebody."""
    return ["\n".join(letter.body) for letter in room.letters(who)]


def test_a_mail_that_is_kept_counts_as_it_came_once_it_is_confirmed(room: Room) -> None:
    """With its own time of arrival, once however often it is confirmed, and over a restart in between."""
    room.found("ada", "bo")
    room.write(ADA, "bid 4\npress to all: hello", to=ARENA, subject="tide-1")
    arrived = room.clock.now()
    room.sweep()
    assert not room.table().sets.hand
    kept = room.reply_to(ADA)
    room.reopen()
    (room.root / "index.sqlite").unlink()
    room.reopen()
    reindex(room.arena)
    for _ in range(3):
        room.write(ADA, "confirm", to=kept, subject="Re: [tide-1] Tide 1")
        room.sweep()
    entries = [entry for entry in room.table().log if isinstance(entry, OrdersReceived)]
    assert [(entry.orders, entry.arrived) for entry in entries] == [(("bid 4",), arrived)]
    assert entries[0].confirms and entries[0].cause != entries[0].confirms
    assert sum("Press from Ada" in text for text in bodies(room, BO)) == 1
    assert any("This is your mail of Mon 23 Nov" in flat(text) for text in bodies(room, ADA))


def test_what_stands_beside_a_confirmation_is_told(room: Room) -> None:
    """One reply takes one mail: what else it holds is counted in the answer, and so is what the mail itself lost."""
    room.found("ada", "bo")
    for number in (3, 4):
        room.write(ADA, f"bid {number}\nend\nbid 9", to=ARENA, subject="tide-1")
    room.sweep()
    digits = [
        found for text in bodies(room, ADA) for found in re.findall(r"^\| confirm ([0-9]{4})$", text, re.MULTILINE)
    ]
    assert len(digits) == 2
    room.write(ADA, f"Hello,\nconfirm {digits[0]}\nconfirm {digits[1]}\nbid 5\n\nThanks")
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 3",)
    answer = flat(room.last(ADA))
    assert "Below your end stood 1 line, not read." in answer
    assert "Besides confirm your reply held 2 lines, not read: one reply takes one mail." in answer


@pytest.mark.parametrize(("said", "orders"), [("confirm", "bid 4"), ("bid 2", "bid 2")])
def test_the_question_may_stand_below_its_answer_without_a_mark(room: Room, said: str, orders: str) -> None:
    """As some programs leave it: our own words are none of the writer's."""
    room.found("ada", "bo")
    room.write(ADA, "bid 4", to=ARENA, subject="tide-1")
    room.sweep()
    room.write(ADA, f"{said}\n\n{room.last(ADA)}")
    room.sweep()
    entry = room.table().log[-1]
    assert (entry.orders, entry.complaints) == ((orders,), ()) and "Besides" not in entry.note


def test_a_mail_and_its_confirmation_may_come_at_once(room: Room) -> None:
    """As they do where an older copy of the arena was put back, and its mail is looked at again."""
    room.found("ada", "bo")
    shutil.copytree(room.root, room.root.with_name("copy"))
    room.write(ADA, "bid 4", to=ARENA, subject="tide-1")
    mails = [room.mailbox.waiting[-1]]
    room.sweep()
    room.write(ADA, "confirm")
    mails.append(room.mailbox.waiting[-1])
    room.sweep()
    room.arena.close()
    room.root = room.root.with_name("copy")
    room.arena = room.open()
    room.mailbox.waiting.extend(mails)
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 4",)


def test_whoever_gets_the_question_can_write_anew_instead(room: Room) -> None:
    """The reply to the question is as good as one to any letter; the mail that was kept is left."""
    room.found("ada", "bo")
    room.write(ADA, "bid 4", to=ARENA, subject="tide-1")
    room.sweep()
    room.write(ADA, "bid 2")
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 2",)


def test_only_the_registered_address_can_confirm(room: Room) -> None:
    """The question's token is worth nothing to others, not even to other players."""
    room.found("ada", "bo")
    room.write(ADA, "bid 4", to=ARENA, subject="tide-1")
    room.sweep()
    kept = room.reply_to(ADA)
    for who in (BO, EVE):
        room.write(who, "confirm", to=kept, subject="Re: [tide-1] Tide 1")
    room.sweep()
    assert not room.table().sets.hand


def test_an_address_that_its_owner_has_left_confirms_nothing(room: Room) -> None:
    """A mail that was held before they moved, and the letter that asks about it at the old address."""
    room.found("ada", "bo")
    room.write(ADA, "bid 4", to=ARENA, subject="tide-1")
    room.sweep()
    moving.by_hand(room.arena, ADA, EVE)
    for said in ("confirm", "bid 2"):
        room.write(ADA, said)
    room.sweep()
    assert not room.table().sets.hand


def test_what_cannot_be_taken_back_is_confirmed_where_no_server_vouches(tmp_path: Path) -> None:
    """An account without Authentication-Results: `close now` waits for one more word, `extend` does not."""
    room = Room(tmp_path / "arena")
    here = msgspec.structs.replace(room.settings.arena, authserv=())
    room.settings = msgspec.structs.replace(room.settings, arena=here)
    room.reopen()
    room.found("ada", "bo")
    before = room.table().deadline
    room.write(GWEN, "extend 24h")
    room.sweep()
    assert room.table().deadline == before + timedelta(hours=24)
    room.write(GWEN, "close now")
    room.sweep()
    asked = flat(room.last(GWEN))
    assert room.table().number == 1 and "cannot be taken back" in asked and ": close now" in asked
    room.write(GWEN, "confirm")
    room.sweep()
    assert room.table().number == 1 and "Your reply says confirm, but not which mail" in flat(room.last(GWEN))
    room.write(GWEN, example(room, GWEN))
    room.sweep()
    assert room.table().number == 2
    room.arena.close()


def example(room: Room, who: str) -> str:
    """Return what the latest letter to somebody says to write."""
    return next(line[2:] for line in room.last(who).split("\n") if line.startswith("| confirm"))


@pytest.mark.parametrize(
    ("said", "counts"),
    [
        ("confirm {}", True), ("Confirm {}.", True), ("CONFIRM: {0[0]}{0[1]} {0[2]}{0[3]}", True),
        ("\n\nconfirm  {} please", True), ("confirm", False), ("confirm {}1", False), ("I confirm {}", False),
        ("Confirmed. Away until Monday {}", False), ("Please confirm your address", False),
    ],
)  # fmt: skip
def test_a_machine_cannot_confirm_by_chance(room: Room, said: str, counts: bool) -> None:
    """Where no server vouches it takes the digits of the letter, however they are spaced; else what to write is told."""
    room.found("ada", "bo")
    room.write(ADA, "bid 4", to=ARENA, subject="tide-1")
    room.sweep()
    digits = example(room, ADA).removeprefix("confirm ")
    reply = room.write(ADA, said.format(digits))
    room.mailbox.waiting[-1] = unvouched(reply)
    room.sweep()
    assert ("ada" in room.table().sets.hand) is counts
    if not counts:
        told = flat(room.last(ADA))
        assert "nothing was done" in told or told.startswith(
            ("Not taken: 1 line.", "There are no orders in your mail.")
        )


def test_the_question_shows_who_is_said_to_have_written_and_what(room: Room) -> None:
    """Line by line as it was read, behind a mark by which it is never read as an order; what is too long is counted."""
    room.found("ada", "bo")
    many = "\n".join(f"press to all: line {number} end press" for number in range(held.SHOWN + 5))
    for text in ("bid 4\n\nThanks,\nAda", many, ""):
        room.write("Ada the Forged <ada@example.org>", text, to=ARENA, subject="tide-1")
    room.sweep()
    bid, press, nothing = (text for text in bodies(room, ADA) if "| confirm " in text)
    assert "\n: Ada the Forged <ada@example.org>\n" in bid and "\n: bid 4\n" in bid and ": Thanks" not in bid
    assert ": press to all: line 59 end press" in press and "It has 5 more lines than can be shown" in flat(press)
    assert "I read no words in it" in flat(nothing)


HONEST = {
    "to an altered address": ("", "pass"),
    "forwarded": ("token", "fail"),
    "as a blind copy": ("token, unnamed", "pass"),
}
FORGED = {"from nowhere": ("", "none"), "found out": ("", "fail")}


@pytest.mark.parametrize("many", [1, 2])
@given(data=st.data())
@settings(max_examples=3, phases=[Phase.generate])  # each takes long to make small
def test_no_forged_mail_keeps_an_honest_one_from_being_confirmed(
    lent: Callable[[], Room], many: int, data: st.DataObject
) -> None:
    """However they are drawn, each honest mail is asked about by the next hours' letters, and counts once confirmed."""
    room = lent()
    honestly = data.draw(st.lists(st.sampled_from(list(HONEST)), min_size=1, max_size=12))
    forged = [*FORGED] * (many * pending.ROOM - data.draw(st.integers(0, 20)))
    ways = data.draw(st.permutations([*honestly, *forged]))
    honest: dict[str, str] = {}
    reply = opened_at(room, "ada")
    for number, way in enumerate(ways):
        token, results = (HONEST | FORGED)[way]
        mail = room.write(
            ADA, f"press to all: word {number}x end press", to=reply if token else ARENA, subject="[tide-1]"
        )
        mail = unvouched(mail, results)
        if token == "token, unnamed":
            raw = mail.raw.replace(f"To: {reply}".encode(), f"Delivered-To: {reply}\nTo: friends@example.net".encode())
            mail = Mail(mail.name, mail.arrived, hashlib.sha256(raw).hexdigest(), raw)
        room.mailbox.waiting[-1] = mail
        if way in HONEST:
            honest[mail.digest] = f": press to all: word {number}x end press"
    before = len(room.outbox.sent)
    for _ in range(3):
        room.sweep(timedelta(hours=1))
    assert len(room.outbox.sent) - before <= 4 * (caps.QUESTIONS + 2) + 1
    for words in honest.values():
        asked = next(text for text in bodies(room, ADA) if words in text)
        digits = re.search(r"\| confirm (\d{4})", asked[asked.index(words) :])
        assert digits
        room.write(ADA, f"confirm {digits[1]}", to=room.reply_to(ADA, words))
        room.mailbox.waiting[-1] = unvouched(room.mailbox.waiting[-1])
    room.sweep()
    assert {entry.confirms for entry in room.table().log if isinstance(entry, OrdersReceived)} == set(honest)
    assert mail_audit.audit(room.arena).exact
    room.arena.close()


@pytest.fixture(scope="module")
def lent(tmp_path_factory: pytest.TempPathFactory) -> Callable[[], Room]:
    """Lend a copy of a game in its first tide, as often as one is asked for."""
    root = tmp_path_factory.mktemp("lent")
    room = Room(root / "arena")
    room.found("ada", "bo", press="public")
    room.arena.close()
    number = count()
    return lambda: room.copied(root / f"copy-{next(number)}")


def test_what_was_found_out_is_not_kept_and_told_of_once_a_day(room: Room) -> None:
    """Its letter goes to the person whose name it bore, and takes the same as an order in its answer."""
    room.found("ada", "bo")
    before = len(room.letters(ADA))
    for number in range(5):
        mail = room.write(ADA, f"bid {number}", to=ARENA, subject="tide-1")
        room.mailbox.waiting[-1] = unvouched(mail, "fail")
    room.sweep()
    assert len(room.letters(ADA)) == before + 1 and "I did not keep it" in flat(room.last(ADA))
    room.write(ADA, "bid 2")
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 2",)


def test_a_change_of_address_is_agreed_to_at_both(room: Room) -> None:
    """Asked for at the old one, confirmed at the new and then at the old; then only the new one counts."""
    room.found("ada", "bo")
    new = "ada@example.com"
    room.write(ADA, "address ada@example.com")
    room.sweep()
    assert [letter.subject for letter in room.letters(new)] and "example.org" not in room.last(new)
    person = room.table().seats["ada"].person
    room.write(new, "confirm")
    room.sweep()
    assert room.arena.people.contact(person).address == ADA
    agreed = room.reply_to(ADA)
    room.write(ADA, "confirm")
    room.sweep()
    assert room.arena.people.contact(person).address == new
    assert "From now on all your letters come here" in flat(room.last(new))
    third = "ada@example.net"
    for who, said in ((new, f"address {third}"), (third, "confirm"), (new, "confirm")):
        room.write(who, said, to="" if said == "confirm" else opened_at(room, "ada"))
        room.sweep()
    for who in (ADA, new):
        room.write(who, "confirm", to=agreed, subject="again")
    room.write(ADA, "bid 1", to=ARENA, subject="tide-1")
    room.sweep()
    assert room.arena.people.contact(person).address == third and not room.table().sets.hand
    new = third
    room.write(new, "bid 2", to=ARENA, subject="tide-1")
    room.sweep()
    room.write(new, "confirm")
    room.sweep()
    assert room.table().sets.hand["ada"].orders == ("bid 2",)


@pytest.mark.parametrize("wanted", [BO, ARENA, "arena+x@example.org", ADA, "ad\u0430@example.org"])
def test_a_change_of_address_that_cannot_be_is_refused(room: Room, wanted: str) -> None:
    """Somebody else's, ours, the same, one that looks like another: nothing is sent there."""
    room.found("ada", "bo")
    sent = len(room.outbox.sent)
    room.write(ADA, f"address {wanted}")
    room.sweep()
    assert [to for to, _ in room.outbox.sent[sent:]] == [ADA]
    assert "Your letters go on as before" in flat(room.last(ADA))


def test_forged_copies_of_a_whole_game_change_nothing(room: Room) -> None:
    """Every legal mail of a game again, from a stranger and from the other player: the state is byte for byte the same."""
    room.invite("ada", "bo")
    for who, said in (
        (ADA, "join as Ada"),
        (BO, "join as Bo"),
        (ADA, "bid 3"),
        (GWEN, "extend 2h"),
        (BO, "bid 1"),
        (ADA, "bid 1"),
    ):
        room.write(who, said)
        legal = room.mailbox.waiting[-1]
        room.sweep()
        before = room.table()
        for forger in (EVE, BO if who == ADA else ADA):
            raw = legal.raw.replace(f"From: {who}".encode(), f"From: {forger}".encode())
            room.mailbox.deliver(raw, room.clock.now())
        room.sweep()
        after = room.table()
        assert (after.state, after.sets.hand, after.deadline, after.rulings, after.seats) == (
            before.state, before.sets.hand, before.deadline, before.rulings, before.seats,
        )  # fmt: skip


def test_a_mail_that_comes_twice_at_once_is_kept_once(room: Room) -> None:
    """The second of them is a duplicate in the desk's journal too, and the accounts are exact."""
    room.found("ada", "bo")
    mail = room.write(ADA, "bid 4", to=ARENA, subject="tide-1")
    room.mailbox.deliver(mail.raw, mail.arrived)
    room.sweep()
    assert mail_audit.audit(room.arena).exact
    assert sum("| confirm" in text for text in bodies(room, ADA)) == 1
