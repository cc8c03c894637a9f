"""The people of an arena: addresses, names, zones; personal data, outside every journal."""

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Literal

import msgspec

from pbem.ground import records
from pbem.ground.terms import CharterError, Person, ShelfError
from pbem.language import phrases
from pbem.letters import addressing
from pbem.world.shelf import Shelf

FILE = "people.toml"
PATIENCE = 3
"""How many letters in a row come back before we say that somebody cannot be reached."""

OWN = "{} is the arena's own address, which neither plays nor moderates. Name a person"
"""What is said where a person has that address: letters to them would come back to us."""


class Move(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """
    A move of somebody's letters that the moderator of a game asked for.

    Shape: `to` is the new address and `since` when it was asked for; `phase` is the phase of `game` in which somebody
    at the new address agreed, -1 until then; `before` is the old address once it acts, whose no still undoes it.
    """

    game: str
    to: str
    since: datetime
    phase: int = -1
    before: str = ""


class Contact(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """
    How to reach a person.

    Shape: `zone` is an IANA name that they gave; `guessed` the UTC+1 of their mails' Date header, else "";
    `returned` are letters to them that came back for good since their last mail; `form` is the one in which they want
    their reports, "" where they never said; `public` is their name on pages for everybody, "" where they want none;
    `move` is where the moderator of a game wants their letters, or has had them sent of late.
    """

    address: str
    name: str = ""
    zone: str = ""
    guessed: str = ""
    returned: tuple[str, ...] = ()
    form: Literal["", "html", "text"] = ""
    public: str = ""
    move: Move | None = None

    @property
    def unreachable(self) -> bool:
        """Whether so many letters in a row came back that we stop trying."""
        return len(self.returned) >= PATIENCE

    @property
    def clock(self) -> str:
        """The zone in which this person reads times."""
        return self.zone or self.guessed or "UTC"


class People:
    """All contacts of an arena, by person; read once, written whole at each change."""

    def __init__(self, shelf: Shelf, secret: bytes, own: str = "") -> None:
        """
        Read the file of an arena, whose address is its `own`; none yet is an empty one.

        Errors: CharterError with the line that cannot be read, or by which somebody was given the arena's own address;
        ShelfError where the file was changed. Whom an older release invited at that address stops nothing.
        """
        self._shelf = shelf
        self._secret = secret
        self._contacts: dict[Person, Contact] = {}
        if shelf.exists(FILE):
            text = shelf.read(FILE).decode("utf-8", "replace")
            found = records.known(records.parse(text, FILE), shelf.root / FILE)
            self._contacts = records.convert(found, dict[Person, Contact], text, FILE)
            if not records.intact(text) or not self._contacts:  # one that holds nobody was cut off
                raise ShelfError(f"{shelf.root / FILE} {records.CHANGED}")
            for person, wrong, keys in _own_addresses(self._contacts, own):
                if person == self._named_after(wrong):
                    continue  # we wrote that ourselves: a person is named after the address that they came with
                line = records.locate(text, [person, *keys])
                raise CharterError(f"{shelf.root / FILE}, line {line}: {OWN.format(wrong)}.")
        self._by_address = {contact.address.lower(): person for person, contact in self._contacts.items()}

    def contact(self, person: Person) -> Contact:
        """Return how to reach a person. Errors: ShelfError where the file no longer has them."""
        found = self._contacts.get(person)
        if found is None:
            raise ShelfError(f"{FILE} has nobody called {person}. Put their entry back.")
        return found

    def is_gone(self, person: Person) -> bool:
        """Say whether a person cannot be reached; False for one who is not known any more."""
        found = self._contacts.get(person)
        return found is not None and found.unreachable

    def address(self, person: Person) -> str:
        """Return somebody's address; "" for one who is not known, or not any more."""
        found = self._contacts.get(person)
        return found.address if found else ""

    def called(self, public: str) -> Person | None:
        """Return who is known in public by a name that looks like this one."""
        seen = phrases.glance(public)
        return next((one for one, name in self.public_names().items() if phrases.glance(name) == seen), None)

    def public_names(self) -> dict[Person, str]:
        """Return the names that people chose for pages, of those who chose one."""
        return {one: known.public for one, known in self._contacts.items() if known.public}

    def find(self, address: str) -> Person | None:
        """Return whose address this is."""
        return self._by_address.get(address.lower())

    def admit_all(self, addresses: Iterable[str]) -> None:
        """Add the people of addresses who are new, all at once."""
        new = {self.person(one): Contact(address=one) for one in addresses if not self.find(one)}
        if new:
            self._store_all(new)

    def admit(self, address: str, name: str = "") -> Person:
        """Return the person of an address; a new one is added."""
        person = self.person(address)
        if not self.find(address):
            self._store(person, Contact(address=address, name=name))
        return person

    def person(self, address: str) -> Person:
        """Return the person of an address, as they are or will be known."""
        return self.find(address) or self._named_after(address)

    def _named_after(self, address: str) -> Person:
        mark = hmac.digest(self._secret, f"person {address.lower()}".encode(), hashlib.sha256).hex()[:10]
        return Person(f"p-{mark}")

    def amend(
        self,
        person: Person,
        *,
        zone: str = "",
        guessed: str = "",
        name: str = "",
        form: Literal["", "html", "text"] = "",
        public: str | None = None,
    ) -> None:
        """Record what a person told us, or what their mail showed: also that they can be reached."""
        old = self.contact(person)
        new = msgspec.structs.replace(
            old,
            zone=zone or old.zone,
            guessed=guessed or old.guessed,
            name=old.name or name,
            form=form or old.form,
            public=old.public if public is None else public,
            returned=(),
        )
        if new != old:
            self._store(person, new)

    def move(self, person: Person, address: str) -> None:
        """Send a person's letters to another address from now on. Errors: ShelfError where it is somebody else's."""
        if self.find(address) not in (None, person):
            raise ShelfError(f"{FILE} has {address} already, for somebody else.")
        old = self.contact(person)
        self._store(person, msgspec.structs.replace(old, address=address, returned=()))
        if old.address.lower() != address.lower():
            del self._by_address[old.address.lower()]

    def move_of(self, person: Person) -> Move | None:
        """Return the move of somebody's letters that a moderator asked for; None where there is none."""
        found = self._contacts.get(person)
        return found.move if found else None

    def plan_move(self, person: Person, move: Move | None) -> None:
        """Note a move that the moderator of a game asks for, or that there is none any more."""
        self._store(person, msgspec.structs.replace(self.contact(person), move=move))

    def moved_from(self, address: str) -> Person | None:
        """Return whose letters went to an address until a moderator had them sent elsewhere."""
        moved = ((one, known.move.before) for one, known in self._contacts.items() if known.move)
        return next((one for one, before in moved if before and before.lower() == address.lower()), None)

    def note_returned(self, person: Person, letter: str) -> Contact:
        """Record that a letter to a person came back for good; the same letter counts once, and few are kept."""
        old = self.contact(person)
        if letter in old.returned or old.unreachable:
            return old
        new = msgspec.structs.replace(old, returned=(*old.returned, letter))
        self._store(person, new)
        return new

    def _store(self, person: Person, contact: Contact) -> None:
        self._store_all({person: contact})

    def _store_all(self, changed: Mapping[Person, Contact]) -> None:
        contacts = {**self._contacts, **changed}
        heading = "# Who plays here. Personal data: keep it to yourself.\n\n"
        text = f"{heading}format = {records.FORMAT}\n\n{records.dump(contacts)}"
        self._shelf.write(records.checked(text).encode(), FILE)
        self._contacts = contacts
        self._by_address |= {contact.address.lower(): person for person, contact in changed.items()}


def _own_addresses(contacts: Mapping[Person, Contact], own: str) -> Iterator[tuple[Person, str, tuple[str, ...]]]:
    """Yield where people have the arena's own address: who, in which form, and the keys that lead to it."""
    for person, contact in contacts.items():
        if addressing.is_ours(contact.address, own):
            yield person, contact.address, ("address",)
        if contact.move and addressing.is_ours(contact.move.to, own):
            yield person, contact.move.to, ("move", "to")
