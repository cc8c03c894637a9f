"""A game that is read on a mailing list: what goes there, and what becomes of what people post there."""

import re
import tempfile
import time
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.ground.terms import CharterError, GameName, OutboxError, Seat
from pbem.hall.commands.founding import found_game
from pbem.hall.mail.incoming.checks import posted
from pbem.hall.mail.outgoing import copies, sending
from pbem.letters import reading
from pbem.table.fold.journal import OrdersReceived, PersonInvited, PostArchived, RulingGiven, TokenLeaked
from tests.conftest import Room
from tests.depth import some

LIST = "ember@lists.example.org"
ARENA, ADA, BO, EVE, GWEN = (f"{name}@example.org" for name in ("arena", "ada", "bo", "eve", "gwen"))
KINDS = ("mlmmj", "mailman", "munged")
FOOTER = "_______________________________________________\nEmber mailing list -- ember@lists.example.org\n"


def as_posted(
    kind: str,
    sender: str,
    text: str,
    number: int,
    *,
    subject: str = "Re: [tide-1] Tide 1",
    to: str = LIST,
    cc: str = "",
) -> bytes:
    """Return a mail as a list sends it on; of kind "direct" as its writer sends it to us beside the list."""
    message = EmailMessage()
    message["From"] = f'"Somebody via Ember" <{LIST}>' if kind == "munged" else f"Somebody <{sender}>"
    message["To"] = to
    if copied := ", ".join(filter(None, (cc, sender if kind == "munged" else ""))):
        message["Cc"] = copied
    message["Subject"] = f"[Ember] {subject}" if kind in ("mailman", "munged") else subject
    message["Message-ID"] = f"<post-{number}@example.net>"
    if kind != "direct":
        message["List-Id"] = "<ember.lists.example.org>"
        message["List-Post"] = f"<mailto:{LIST}>"
    message.set_content(text + f"\n{FOOTER}" * (kind in ("mailman", "munged")))
    return message.as_bytes()


def deliver(room: Room, raw: bytes) -> None:
    """Let a mail arrive, and the arena see it."""
    room.mailbox.deliver(raw, room.clock.now())
    assert not room.sweep().troubles


def entries(room: Room, kind: type) -> list[object]:
    """Return the entries of a kind in this phase."""
    return [one for one in room.table().log if isinstance(one, kind)]


def posts(room: Room) -> list[str]:
    """Return the texts of what went to the list, oldest first."""
    return ["\n".join(one.body) for one in room.letters(LIST)]


def their_copies(room: Room) -> None:
    """Let the list send everything back to us that it has had."""
    for _, raw in [one for one in room.outbox.sent if one[0] == LIST]:
        room.mailbox.deliver(
            raw.replace(b"MIME-Version", f"List-Id: <{LIST}>\r\nMIME-Version".encode()), room.clock.now()
        )
    room.sweep()


@pytest.fixture
def listed(room: Room) -> Room:
    """A harbour game on a list, in its first tide."""
    room.found("ada", "bo", mailing_list=LIST)
    their_copies(room)
    return room


def test_what_was_redacted_before_it_is_posted_never_goes_to_the_list(listed: Room) -> None:
    """As where the mail server was away meanwhile; the rest of the post goes, under the same name."""
    listed.outbox.down = True
    listed.write(ADA, "press to all: a numbat")
    listed.sweep()
    listed.outbox.down = False
    listed.write(GWEN, "redact press 1", to=listed.reply_to(GWEN))
    listed.sweep(timedelta(hours=2))
    listed.sweep(timedelta(hours=2))
    (post,) = [raw for to, raw in listed.outbox.sent if to == LIST and b".press." in raw]
    assert b"taken off" in post and b"numbat" not in post
    assert any(b"numbat" in raw for to, raw in listed.outbox.sent if to == "bo@example.org")


def test_everybody_reads_on_the_list_what_everybody_may_know(listed: Room) -> None:
    """The call for players, the opening, press, announcements and reports: each once, without a token or a form."""
    listed.write(ADA, "bid 3\npress to all: I have <b>nothing</b> to hide. end press")
    listed.sweep()
    listed.write(GWEN, "to all: A storm is coming.")
    listed.sweep()
    listed.sweep(timedelta(hours=1))
    listed.write(BO, "bid 1")
    for _ in range(3):
        listed.sweep(timedelta(hours=1))
    heads = [text.split("\n")[0] for text in posts(listed)]
    assert [head.split("  ")[0] for head in heads] == [
        "tide-1 IS FOUNDED",
        "tide-1 BEGINS",
        "Press from Ada to all",
        "From the moderator of tide-1, to all. Tide 1.",
        "[tide-1] TIDE 1",
    ]
    for letter in listed.letters(LIST):
        text = "\n".join(letter.body)
        assert not re.search(r"\+[a-z0-9-]+\.[a-z2-7]{16}@", text)
        assert not [line for line in letter.body if line.startswith("~ ")]
        assert letter.subject.startswith("[tide-1] ")
        assert letter.answer_to == (ARENA,)


def test_a_game_without_a_list_says_nothing_in_public(open_room: Room) -> None:
    """As it was before there were lists."""
    assert not [to for to, _ in open_room.outbox.sent if to == LIST]


def test_orders_on_the_list_are_none_and_their_writer_is_warned_once(listed: Room) -> None:
    """The warning goes to the seat's own address, never to what a copy says, once a phase; what counts stays."""
    listed.write(ADA, "bid 3")
    listed.sweep()
    hand = listed.table().sets.hand
    before = len(listed.letters(ADA))
    for number, kind in enumerate(KINDS):
        deliver(listed, as_posted(kind, ADA, "bid 9", number))
    assert listed.table().sets.hand == hand
    (warning,) = listed.letters(ADA)[before:]
    said = " ".join("\n".join(warning.body).split())
    assert "Everybody there has read it." in said
    assert "a bid of 3" in said
    assert [one.has_orders for one in entries(listed, PostArchived)] == [True] * 3  # type: ignore[attr-defined]
    listed.write(ADA, "bid 4")
    listed.sweep()
    assert listed.table().sets.hand[Seat("ada")].orders == ("bid 4",)


def test_chat_on_the_list_is_kept_and_nobody_has_a_letter(listed: Room) -> None:
    """Its quotations of our posts and its footer are no part of it."""
    quoted = "\n".join(f"> {line}" for line in posts(listed)[-1].split("\n"))
    before = len(listed.outbox.sent)
    deliver(listed, as_posted("mlmmj", EVE, f"What a fine game.\n\n{quoted}", 1))
    deliver(listed, as_posted("direct", BO, "Thank you!", 2, cc=ARENA))
    deliver(listed, as_posted("mlmmj", BO, "Thank you!", 2, cc=ARENA))
    one, two = entries(listed, PostArchived)
    assert (one.text, two.text) == ("What a fine game.", "Thank you!")  # type: ignore[attr-defined]
    assert one.writer != two.writer  # type: ignore[attr-defined]
    assert len(listed.outbox.sent) == before
    journal = (listed.root / "games" / "tide-1" / "phase-01" / "journal.toml").read_text()
    assert EVE not in journal


@pytest.mark.parametrize("first", ["direct", "list"])
def test_a_reply_address_that_stood_on_the_list_counts_no_more(listed: Room, first: str) -> None:
    """What came to us alone counts if it came first; the list's copy never does; its writer has another address."""
    own = listed.reply_to(ADA)
    mails = [
        as_posted("direct", ADA, "bid 9", 1, to=own, cc=LIST),
        as_posted("mlmmj", ADA, "bid 9", 1, to=own, cc=LIST),
    ]
    for raw in mails if first == "direct" else reversed(mails):
        deliver(listed, raw)
    assert bool(listed.table().sets.hand) is (first == "direct")
    assert len(entries(listed, TokenLeaked)) == 1
    leaked = next(text for text in ("\n".join(one.body) for one in listed.letters(ADA)) if "everybody there" in text)
    assert "list of the game" in " ".join(leaked.split())
    assert listed.reply_to(ADA, "Message-ID: <tide-1.leaked") != own
    deliver(listed, as_posted("direct", ADA, "bid 1", 5, to=own))  # somebody who read it there writes as Ada
    assert [held.orders for held in listed.table().sets.hand.values()] == [("bid 9",)] * (first == "direct")


@pytest.mark.parametrize("kind", [*KINDS, "direct"])
def test_who_is_only_on_the_list_joins_from_there(room: Room, kind: str) -> None:
    """They are asked at their own address, whatever the list made of it, and take the seat by answering."""
    room.invite("ada", seats=2, mailing_list=LIST)
    deliver(room, as_posted(kind, EVE, "Oh yes!\njoin tide-1 as Evita", 1, subject="Re: [tide-1] Sign-up", cc=ARENA))
    assert not entries(room, PostArchived)
    assert not room.table().seats
    room.write(EVE, "confirm")
    room.sweep()
    assert [one.name for one in room.table().seats.values()] == ["Evita"]
    assert not [text for text in posts(room) if "confirm" in text.split("\n")[0].lower()]


def test_who_was_invited_and_asks_on_the_list_gets_the_invitation_again(room: Room) -> None:
    """It goes to them alone."""
    room.invite("ada", "bo", mailing_list=LIST)
    before = len(room.letters(ADA))
    deliver(room, as_posted("munged", ADA, "join as Ada", 1))
    assert len(room.letters(ADA)) == before + 1
    assert [one.cause != "" for one in entries(room, PersonInvited)][-1]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    "sender",
    [f"ember{end}@lists.example.org" for end in ("-request", "-bounces", "-owner", "-confirm+7f", "+owner", "+help")],
)
def test_the_lists_machines_are_never_answered(listed: Room, sender: str) -> None:
    """Hold notices, confirmations, digests: nothing comes of them, whatever they say."""
    before = len(listed.outbox.sent), len(listed.table().log)
    for number, text in enumerate(("Your message to Ember awaits moderator approval", "confirm 1234", "bid 9")):
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = sender, ARENA, f"[tide-1] {text}"
        message["Message-ID"] = f"<{number}@lists.example.org>"
        message.set_content(text)
        deliver(listed, message.as_bytes())
    assert (len(listed.outbox.sent), len(listed.table().log)) == before


def test_a_post_that_may_have_gone_waits_for_its_copy(room: Room) -> None:
    """It is not said twice within the hour, and never once its copy has come; without one it goes again."""
    room.outbox.fails[LIST] = OutboxError("broke off", is_lost=True)
    room.invite("ada", "bo", mailing_list=LIST)
    (waiting,) = [one for one in room.arena.index.outgoing.to_send() if sending.is_post(one.letter)]
    del room.outbox.fails[LIST]
    for _ in range(9):
        room.sweep(timedelta(minutes=6))
    assert not room.letters(LIST)
    raw = room.arena.shelf.read(*waiting.place)
    forged = raw.replace(b"X-Pbem-Letter: tide-1.", b"X-Pbem-Letter: tide-2.")
    for came in (forged, raw):  # whoever shows the mark has had the post
        deliver(room, came.replace(b"MIME-Version", b"List-Id: <ember.lists.example.org>\r\nMIME-Version"))
        assert (waiting.letter in {one.letter for one in room.arena.index.outgoing.to_send()}) is (came is forged)
    for _ in range(30):
        room.sweep(timedelta(hours=1))
    assert not room.letters(LIST)


@pytest.mark.parametrize("killed", [False, True])
def test_a_post_that_did_not_go_goes_again_after_an_hour(room: Room, killed: bool) -> None:
    """Also where each sweep is a process of its own, which knows nothing of the last."""
    room.outbox.fails[LIST] = OutboxError("broke off", is_lost=True)
    room.invite("ada", "bo", mailing_list=LIST)
    del room.outbox.fails[LIST]
    began = room.clock.now()
    while not room.letters(LIST):
        if killed:
            room.reopen()
        room.sweep(timedelta(minutes=7))
        assert room.clock.now() - began < timedelta(hours=3)
    assert room.clock.now() - began > sending.FOR_COPY
    room.sweep(timedelta(hours=9))
    assert len(room.letters(LIST)) == 1


def test_a_post_that_the_server_refused_for_now_is_not_held_up(room: Room) -> None:
    """It is known that nobody has it."""
    room.outbox.fails[LIST] = OutboxError("450 greylisted")
    room.invite("ada", "bo", mailing_list=LIST)
    del room.outbox.fails[LIST]
    room.sweep(timedelta(minutes=6))
    assert len(room.letters(LIST)) == 1


def test_a_post_that_never_comes_back_is_told_of(room: Room) -> None:
    """Once, and not where it has come."""
    room.invite("ada", "bo", mailing_list=LIST)
    room.sweep(timedelta(hours=2))
    said = [one.what for one in room.arena.index.counters.odd()]
    assert [what for what in said if what == copies.MISSING.format("tide-1")] == said[-1:]
    their_copies(room)
    room.sweep(timedelta(hours=2))
    assert sum(one.times for one in room.arena.index.counters.odd()) == len(said)


def test_a_list_that_refuses_us_is_told_of_and_the_game_goes_on(room: Room) -> None:
    """Its players have their letters."""
    room.outbox.fails[LIST] = OutboxError("550 no such list", permanent=True)
    room.found("ada", "bo", mailing_list=LIST)
    assert room.table().status == "open"
    assert any(LIST in one.what for one in room.arena.index.counters.odd())


def test_only_so_many_posts_of_a_phase_are_kept(listed: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """And each only so far."""
    monkeypatch.setattr(posted, "MOST", 3)
    for number in range(5):
        deliver(listed, as_posted("mlmmj", EVE, f"{number} " + "ha " * 3000, number))
    kept = entries(listed, PostArchived)
    assert len(kept) == 3
    assert all(len(one.text) <= posted.LONGEST + 4 for one in kept)  # type: ignore[attr-defined]


def test_two_games_on_one_list_are_told_apart(room: Room) -> None:
    """By the subject, by what a post answers, else not at all: it is kept with neither."""
    for name in ("tide-1", "tide-2"):
        room.found("ada", "bo", name=name, mailing_list=LIST)
    answered = next(one.message_id for one in reversed(room.letters(LIST)) if one.subject.startswith("[tide-2]"))
    raws = [
        as_posted("mlmmj", EVE, "one", 1, subject="Re: [Ember] [tide-1] Tide 1"),
        as_posted("mlmmj", EVE, "two", 2, subject="So exciting").replace(
            b"Subject", f"References: {answered}\nSubject".encode()
        ),
        as_posted("mlmmj", EVE, "neither", 3, subject="Hello"),
    ]
    for raw in raws:
        deliver(room, raw)
    kept = {
        name: [one.text for one in room.table(name).log if isinstance(one, PostArchived)]
        for name in ("tide-1", "tide-2")
    }
    assert kept == {"tide-1": ["one"], "tide-2": ["two"]}


LINES = (
    "bid 9",
    "ready",
    "begin",
    "close now",
    "approve 1",
    "extend 24h",
    "yes",
    "hello",
    "cancel",
    "status",
    "eject Bo",
)


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Room:
    """The game, to be copied."""
    room = Room(tmp_path_factory.mktemp("listed") / "arena")
    room.found("ada", "bo", mailing_list=LIST)
    room.write(ADA, "bid 3")
    room.sweep()
    their_copies(room)
    room.arena.close()
    return room


@given(
    mails=st.lists(
        st.tuples(
            st.sampled_from([*KINDS, "direct"]),
            st.sampled_from([ADA, BO, EVE, GWEN]),
            st.lists(st.sampled_from(LINES), min_size=1, max_size=3),
            st.integers(0, 5),
        ),
        max_size=8,
    )
)
def test_nothing_that_is_posted_acts(begun: Room, mails: list[tuple[str, str, list[str], int]]) -> None:
    """Whoever posts it, however the list sends it on, in whatever order and however often: kept once, and no more."""
    with tempfile.TemporaryDirectory() as folder:
        room = begun.copied(Path(folder) / "arena")
        before = room.table()
        for kind, sender, lines, number in mails:
            deliver(room, as_posted(kind, sender, "\n".join(lines), number, cc=ARENA if kind == "direct" else ""))
        after = room.table()
        for name in ("status", "number", "sets", "seats", "deadline", "ready", "rulings", "invited", "unheard"):
            assert getattr(before, name) == getattr(after, name)
        fresh = after.log[len(before.log) :]
        assert not [one for one in fresh if isinstance(one, OrdersReceived | RulingGiven | TokenLeaked)]
        assert len(fresh) == len({number for *_, number in mails})
        warned = [one.warned for one in fresh if isinstance(one, PostArchived) and one.warned]
        assert len(warned) == len(set(warned))
        room.arena.close()


def test_rulings_on_the_list_are_none_and_the_moderator_is_told_once(listed: Room) -> None:
    """At their own address; chat brings no letter."""
    before, deadline = len(listed.letters(GWEN)), listed.table().deadline
    deliver(listed, as_posted("munged", GWEN, "Good luck to you all!", 1))
    assert len(listed.letters(GWEN)) == before
    for number in (2, 3):
        deliver(listed, as_posted("mlmmj", GWEN, "extend 24h", number))
    assert listed.table().deadline == deadline
    (told,) = listed.letters(GWEN)[before:]
    assert "No ruling is taken from there" in " ".join("\n".join(told.body).split())
    listed.write(GWEN, "extend 24h")
    listed.sweep()
    assert listed.table().deadline != deadline


@pytest.mark.parametrize("sender", [LIST, "Ember <ember@lists.example.org>", "ember-request@lists.example.org"])
@pytest.mark.parametrize("text", ["join tide-1 as Evil", "hello", "confirm", "bid 9"])
def test_a_list_never_has_a_letter_of_ours_but_posts(room: Room, sender: str, text: str) -> None:
    """Whatever comes from its address, and in whoever's name somebody asks for it."""
    room.invite("ada", "bo", seats=3, mailing_list=LIST)
    raw = f"From: {sender}\nTo: {ARENA}\nSubject: [tide-1] hi\nMessage-ID: <1@x.example>\n\n{text}\n".encode()
    deliver(room, raw)
    assert {one.subject.partition("]")[2] for one in room.letters(LIST)} == {" a new game of Harbour"}


@pytest.mark.parametrize(
    ("who", "text"),
    [(ADA, f"address {LIST}"), (GWEN, f"invite {LIST}"), (GWEN, f"replace Bo by {LIST}"), (GWEN, f"address Bo is {LIST}"),
     (GWEN, f"deputy {LIST}")],
)  # fmt: skip
def test_nobody_can_have_anybodys_letters_sent_to_a_list(room: Room, who: str, text: str) -> None:
    """Neither a player nor the moderator; whoever asks hears that it was not done."""
    room.found("ada", "bo", seats=2, mailing_list=LIST)
    before, seats = len(room.letters(LIST)), room.table().seats
    room.write(who, text)
    for _ in range(3):
        room.sweep(timedelta(hours=1))
    assert len(room.letters(LIST)) == before
    assert room.table().seats == seats


def test_a_person_whose_address_was_made_a_list_has_no_letters_there(room: Room) -> None:
    """As where the charter was changed by hand: a letter to one person never goes to a list."""
    room.found("ada", "bo", mailing_list=LIST)
    person = room.table().seats[Seat("bo")].person
    room.arena.people.move(person, LIST)
    before = len(room.letters(LIST))
    room.write(GWEN, "to Bo: a word between us")
    room.sweep()
    assert len(room.letters(LIST)) == before


def test_no_list_is_a_person_and_no_person_a_list(room: Room) -> None:
    """Who founds a game hears it at once."""
    room.found("ada", "bo", mailing_list=LIST)
    for address in (ADA, "cy+games@example.org"):
        with pytest.raises(CharterError):
            room.invite("cy", name="tide-2", mailing_list=address)
    for moderator, invited in ((LIST, ADA), (GWEN, LIST)):
        with pytest.raises(CharterError):
            found_game(
                room.arena, GameName("tide-3"), "harbour", moderator=moderator, invited=[invited, BO], seats=2,
                now=room.clock.now(),
            )  # fmt: skip


@pytest.mark.parametrize("player", ["jo-ann@example.org", "jo+games@example.org"])
def test_mail_of_a_player_whose_address_begins_like_a_list_counts(room: Room, player: str) -> None:
    """Their own token is in it, and no list."""
    found_game(
        room.arena, GameName("tide-1"), "harbour", moderator=GWEN, invited=[player, BO], seats=2, now=room.clock.now()
    )
    room.sweep()
    room.write(player, "join as Jo")
    room.write(BO, "join as Bo")
    room.sweep()
    room.found("cy", "dee", name="tide-2", mailing_list="jo@example.org")
    room.write(player, "bid 7", to=room.reply_to(player, "[tide-1]"))
    room.sweep()
    assert [held.orders for held in room.table("tide-1").sets.hand.values()] == [("bid 7",)]


@pytest.mark.parametrize(
    "header",
    [f"X-BeenThere: {LIST}", "List-Id: Ember <ember.lists.example.org>", f"List-Post: <mailto:{LIST}?subject=x>\nList-Id: <x>",
     "List-Post: <mailto:ember%40lists.example.org>", f"List-Id: <x.y>\nCc: {', '.join(f'a{n}@b.example' for n in range(40))}, {LIST}"],
)  # fmt: skip
def test_however_a_list_names_itself_its_copy_does_not_act(listed: Room, header: str) -> None:
    """It holds a right token, and comes from the right address."""
    to = listed.reply_to(ADA)
    deliver(listed, f"From: {ADA}\nTo: {to}\n{header}\nSubject: Re: it\nMessage-ID: <7@x.example>\n\nbid 9\n".encode())
    assert not listed.table().sets.hand


@pytest.mark.parametrize("kind", some(4, KINDS))
@pytest.mark.parametrize(
    ("sender", "subject"),
    [(EVE, "Automatic reply: [tide-1] a new game"), ("noreply@example.org", "hi"), ("mailer-daemon@example.org", "hi"),
     ("postmaster@example.org", "hi"), ("amber-request@lists.example.org", "hi"), ("amber@lists.example.org", "hi")],
)  # fmt: skip
def test_machines_on_a_list_are_not_answered_either(room: Room, kind: str, sender: str, subject: str) -> None:
    """By what they call themselves, or say that they do; nor is another list."""
    room.found("cy", "dee", name="tide-2", mailing_list="amber@lists.example.org")
    room.invite("ada", seats=3, mailing_list=LIST)
    before = len(room.outbox.sent)
    deliver(room, as_posted(kind, sender, "join tide-1 as Robo", 1, subject=subject))
    assert len(room.outbox.sent) == before


def test_the_warning_comes_also_where_no_more_is_kept(listed: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever floods the list mutes nobody."""
    monkeypatch.setattr(posted, "MOST", 2)
    for number in range(4):
        deliver(listed, as_posted("mlmmj", EVE, f"flood {number}", number))
    before = len(listed.letters(ADA))
    deliver(listed, as_posted("mlmmj", ADA, "bid 9", 9))
    assert len(listed.letters(ADA)) == before + 1


def test_headers_of_lists_without_end_take_no_time() -> None:
    """Four times as much takes no more than some four times as long."""

    def seconds(count: int) -> float:
        header = b"".join(
            b"List-Post: " + b"a" * 15_900 + b"\nList-Id: <" + b"a." * 7_900 + b">\n" for _ in range(count)
        )
        began = time.perf_counter()
        reading.read(header + b"From: a@b.example\n\nhello\n")
        return time.perf_counter() - began

    assert min(seconds(7) for _ in range(3)) < 0.5


@pytest.mark.parametrize("mark", ["> ", "", "| "])
def test_a_reply_to_a_post_counts_once_it_is_confirmed(listed: Room, mark: str) -> None:
    """It goes to the arena alone; what it quotes of the post, marked or not, is no part of it."""
    quoted = "\n".join(f"{mark}{line}".rstrip() for line in posts(listed)[-1].split("\n"))
    listed.write(
        ADA, f"bid 5\n\nOn Monday The Arena wrote:\n{quoted}", to=ARENA, subject="Re: [tide-1] the game begins"
    )
    listed.sweep()
    assert not listed.table().sets.hand
    listed.write(ADA, "confirm")
    listed.sweep()
    assert [held.orders for held in listed.table().sets.hand.values()] == [("bid 5",)]
    assert not entries(listed, PostArchived)


@pytest.mark.parametrize(
    ("text", "is_order"),
    [("- bid 9", True), ("Hi all,\n\nmine is:\n\n* bid 9\n\nAda", True), ("no wait, bid 4 instead of 9", True),
     ("I mean bid 4, not 9", True), ("What a bid!", False), ("ok", False), ("yes, wait for me", False)],
)  # fmt: skip
def test_orders_in_haste_are_seen_as_such(listed: Room, text: str, is_order: bool) -> None:
    """With prose round them, as a bullet, as a correction; chat about them is none."""
    deliver(listed, as_posted("mlmmj", EVE, text, 1))
    (post,) = entries(listed, PostArchived)
    assert post.has_orders is is_order  # type: ignore[attr-defined]
