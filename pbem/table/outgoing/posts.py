"""What a game says at a public place, such as a mailing list, which everybody reads; computed, never queued."""

from collections.abc import Iterator, Sequence

import msgspec

from pbem.ground.identity import GameLetter
from pbem.ground.terms import Facts
from pbem.table.clock.game_terms import terms, unusual_rules
from pbem.table.clock.views import BaseView, moment
from pbem.table.fold import journal
from pbem.table.fold.journal import Entry, OrdersReceived, PhasePublished
from pbem.table.model.table import Table
from pbem.table.outgoing import reports
from pbem.table.outgoing.letter import opened, opening_part, origin
from pbem.table.outgoing.plain import Founded, Opening, PressItem, PressPassedOn, Told

replace = msgspec.structs.replace

LIST, FORUM = "+list", "+forum"
"""The readers of what goes to a mailing list and to a forum, which no seat and no person can be called."""


class Post(msgspec.Struct, frozen=True, kw_only=True):
    """
    What a game says at a public place, for no reader in particular: it carries no token, and no form.

    Shape: `table` is what everybody may know of the game, `title` what the post is; the rest is as in a letter that
    is owed.
    """

    identity: GameLetter
    origin: str
    title: str
    table: Table
    view: BaseView
    parts: dict[str, Facts] = {}

    @property
    def template(self) -> str:
        """The template of the post, without `.j2`."""
        return f"posts/{self.identity.template}"


def posts(before: Table, entry: Entry, after: Table) -> Iterator[Post]:
    """Yield what an entry calls for at the public places of its game, for each of them."""
    said = list(_posts(before, entry, after)) if places(after) else []
    for place in places(after):
        for post in said:
            yield replace(post, identity=replace(post.identity, reader=place))


def places(table: Table) -> tuple[str, ...]:
    """Return where a game says what everybody may know."""
    return (*[LIST] * bool(table.charter.mailing_list), *[FORUM] * table.charter.forum)


def _posts(before: Table, entry: Entry, after: Table) -> Iterator[Post]:
    after = after.known_to_all()
    match entry:
        case journal.GameFounded():
            view = Founded(terms=terms(after), advice="")
            yield _post(after, entry, f"a new game of {after.ruleset.title}", view, opening_part(after, brief=True))
        case journal.GameBegun():
            unusual = tuple(unusual_rules(after))
            began = Opening(
                names=tuple(after.labels().values()), unusual=unusual, terms=terms(after), moment=moment(after, None)
            )
            yield _post(after, entry, "the game begins", began, opening_part(after))
            yield from _told(after, entry, [one.text for one in before.announced])
        case PhasePublished():
            told, parts, _ = reports.public_report(before, entry)
            title = f"{told.reported}, the report" if after.status != "over" else f"{told.reported}, the last report"
            yield _post(after, entry, title, replace(told, moment=moment(after, None)), parts)
            yield from _told(after, entry, [one.text for one in before.announced])
        case journal.AnnouncementMade():
            yield from _told(after, entry, [one.text for one in before.announced if one.number in entry.rulings])
        case OrdersReceived():
            yield from _press(after, entry)
        case _:
            pass  # all else is between the arena and somebody


def _post(
    table: Table, entry: Entry, title: str, view: BaseView, parts: dict[str, Facts] | None = None, of: str = ""
) -> Post:
    identity = GameLetter(game=table.charter.game, entry=entry.number, template=view.template, reader=LIST)
    return Post(
        identity=identity, origin=of or origin(table, entry), title=title, table=table, view=view, parts=parts or {}
    )


def _told(table: Table, entry: Entry, texts: Sequence[str]) -> Iterator[Post]:
    """Say what the moderator says to all."""
    if texts:
        view = Told(texts=tuple(texts), to_all=True, by_deputy=False, moment=moment(table, None))
        yield _post(table, entry, f"{table.title}, from the moderator", view)


def _press(table: Table, entry: OrdersReceived) -> Iterator[Post]:
    """Say what a seat says to all; like letters of press it is told by how many there were before, not by its mail."""
    said = tuple(PressItem(text=one.text, to="all") for one in entry.press if one.to == "all")
    if said:
        view = PressPassedOn(sender=table.label(entry.seat), press=said, own=False, moment=moment(table, None))
        had = [one for one in table.log if isinstance(one, OrdersReceived) and one.number < entry.number]
        before = sum(any(press.to == "all" for press in one.press) for one in had)
        yield _post(
            table, entry, f"{table.title}, press from {view.sender}", view, of=f"press {before} of {opened(table)}"
        )
