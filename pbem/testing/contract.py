"""What every ruleset owes, whichever it is: the laws of the contract, for a test class to inherit."""

import copy
from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest

from pbem import cli
from pbem.ground.records import without_none
from pbem.ground.terms import GameName, OrderLine, Person, Seat
from pbem.hall.commands import library
from pbem.hall.store.catalogue import templates_needed, words_of
from pbem.language import phrases
from pbem.letters import rendering
from pbem.ruleset import Dice, Given, LibraryRuleset, Outcome
from pbem.table.fold import replay
from pbem.table.model import audience, seating
from pbem.table.model.charter import Charter

NAMES = ("Ada", "Bo", "Cy", "Dee", "Eve", "Fay", "Gus", "Hal")
MOST_PHASES = 12


def seats_of(ruleset: Any) -> dict[Seat, str]:
    """Return three seats with their names, or as many as the ruleset has at the least or at the most."""
    count = min(max(3, ruleset.seats[0]), ruleset.seats[-1])
    return {Seat(name.lower()): name for name in NAMES[:count]}


def played(ruleset: Any) -> list[tuple[Any, Outcome[Any]]]:
    """Play a game in which nobody sends anything; return each state with its outcome."""
    house = {option.name: option.default for option in ruleset.options}
    state = ruleset.setup(seats_of(ruleset), house, Dice(bytes(32)))
    found = []
    for number in range(MOST_PHASES):
        dice = Dice(bytes(32)).at(str(number))
        owing = ruleset.phase(state).owing
        orders = {seat: ruleset.missing(state, seat, dice.at(seat)) for seat in owing}
        outcome = ruleset.adjudicate(state, orders, Given(), dice)
        found.append((state, outcome))
        if outcome.result:
            break
        state = outcome.state
    return found


class Contract:
    """Laws for every ruleset: a test class that inherits from this says in `rulesets` for which."""

    rulesets: ClassVar[tuple[Any, ...]]

    def pytest_generate_tests(self, metafunc: pytest.Metafunc) -> None:
        """Hold each ruleset to each law."""
        metafunc.parametrize("ruleset", self.rulesets, ids=lambda ruleset: ruleset.name)

    def test_a_state_survives_its_dump(self, ruleset: Any) -> None:
        """`load` of `dump` is the same state, and the dump is plain TOML."""
        for state, outcome in played(ruleset):
            for held in (state, outcome.state):
                plain = ruleset.dump(held)
                assert without_none(plain) == plain
                assert ruleset.load(copy.deepcopy(plain), ruleset.version) == held

    def test_adjudication_is_deterministic_and_innocent(self, ruleset: Any) -> None:
        """Twice the same call gives the same outcome, and the state that went in is as it was."""
        for state, outcome in played(ruleset):
            dump = copy.deepcopy(ruleset.dump(state))
            owing = ruleset.phase(state).owing
            dice = Dice(bytes(32)).at("x")
            orders = {seat: ruleset.missing(state, seat, dice) for seat in owing}
            first = ruleset.adjudicate(state, orders, Given(), dice)
            assert first == ruleset.adjudicate(state, orders, Given(), dice)
            assert ruleset.dump(state) == dump
            assert outcome.state is not None

    def test_a_seat_is_shown_no_more_than_its_view(self, ruleset: Any) -> None:
        """A view is a state of the same phase; its own view is the same, and all that a seat is asked is made of it."""
        for state, _ in played(ruleset):
            for seat in ruleset.phase(state).owing:
                seen = ruleset.view(state, seat)
                assert ruleset.view(seen, seat) == seen
                assert ruleset.load(ruleset.dump(seen), ruleset.version) == seen
                assert ruleset.phase(seen) == ruleset.phase(state)
                assert ruleset.asked(seen, seat) == ruleset.asked(state, seat)
                orders = ruleset.missing(state, seat, Dice(bytes(32)))
                assert ruleset.hand(seen, seat, orders) == ruleset.hand(state, seat, orders)

    def test_nobody_can_take_a_name_that_is_reserved(self, ruleset: Any) -> None:
        """Each is written as seats are, so that one can be held against it."""
        assert ruleset.reserved == {seating.slug(name) for name in ruleset.reserved}
        wanted = Charter(
            game=GameName("reserved"), ruleset=ruleset.name, version=ruleset.version, moderator=Person("p-0"),
            seats=ruleset.seats[0], created=datetime(2026, 11, 23, tzinfo=UTC), seal="",
        )  # fmt: skip
        table = replay.first(wanted, ruleset, bytes(32))
        assert [name for name in ruleset.reserved if seating.seat_for(table, Person("p-1"), name) == name] == []

    def test_whether_a_set_stands_is_told_from_its_lines(self, ruleset: Any) -> None:
        """A set that is read again from canonical lines stands as the one that was sent, since those are kept."""
        for state, _ in played(ruleset):
            for seat in ruleset.phase(state).owing:
                orders = ruleset.missing(state, seat, Dice(bytes(32)))
                lines = [OrderLine(n, text) for n, text in enumerate(ruleset.format(state, orders), 1)]
                again = ruleset.parse(state, seat, lines).orders
                assert ruleset.stands(state, seat, orders) is ruleset.stands(state, seat, again)

    def test_what_is_written_is_read_by_first_shapes_alone(self, ruleset: Any) -> None:
        """So that no other words for an order can ever change what stands in a journal."""
        for state, _ in played(ruleset):
            reader = ruleset.reader(state)
            if not reader.tables(state).is_free:
                for seat in ruleset.phase(state).owing:
                    for order in ruleset.missing(state, seat, Dice(bytes(32))):
                        assert reader.read(state, seat, reader.write(state, order)) == order

    def test_the_forms_that_its_handbook_shows_read(self, ruleset: Any) -> None:
        """Each is an order, whether or not it is one that the first seat can give as the game begins."""
        state, _ = next(iter(played(ruleset)))
        for form in ruleset.forms:
            parsed = ruleset.parse(state, ruleset.phase(state).owing[0], [OrderLine(1, form)])
            assert parsed.orders or any(one.fault == "illegal" for one in parsed.complaints), form

    def test_verdicts_have_names_of_their_own(self, ruleset: Any) -> None:
        """No two facts of one adjudication share a key, so a ruling pins one."""
        for _, outcome in played(ruleset):
            keys = [verdict.key for verdict in outcome.verdicts]
            assert len(keys) == len(set(keys))

    def test_facts_are_found_by_their_keys_and_read_as_they_are_shown(self, ruleset: Any) -> None:
        """What `set` can change and what a proof derives, a ruling can name in canonical words."""
        for state, outcome in played(ruleset):
            facts = {**ruleset.standing(state), **{verdict.key: verdict.value for verdict in outcome.verdicts}}
            for key, value in facts.items():
                assert ruleset.name_fact(state, key) == key
                assert ruleset.read_value(state, key, audience.show_fact(value)) == value

    def test_every_kind_of_event_is_declared_and_has_a_wording(self, ruleset: Any) -> None:
        """What `adjudicate` can say, some template of the ruleset knows."""
        for _, outcome in played(ruleset):
            assert {event.kind for event in outcome.events} <= ruleset.event_kinds
        words = words_of([ruleset]).items()
        text = "\n".join(source for name, source in words if name.startswith(f"{ruleset.name}/"))
        silent = [kind for kind in sorted(ruleset.event_kinds) if kind not in text]
        assert not silent, f"events without a wording: {silent}"

    def test_every_part_of_a_letter_is_there(self, ruleset: Any) -> None:
        """All templates that letters are made of can be found, and read."""
        assert rendering.mistakes(rendering.environment(words_of([ruleset])), templates_needed(ruleset)) == ()

    def test_the_commands_of_a_library_are_its_own(self, ruleset: Any) -> None:
        """Nothing else on the terminal is called as its pieces are: no command of ours, nor of another ruleset's."""
        words = ruleset.pieces if isinstance(ruleset, LibraryRuleset) else ()
        others = [word for one in library.rulesets_with_library() if one.name != ruleset.name for word in one.pieces]
        assert len(set(words)) == len(words)
        assert not set(words) & {*cli.pbem.commands, *others}

    def test_every_house_rule_says_what_each_value_means(self, ruleset: Any) -> None:
        """The first letter prints a sentence for the value that holds, whichever it is."""
        for option in ruleset.options:
            assert option.default in option.choices or not option.choices
            if option.choices:
                assert set(option.says) == set(option.choices) and all(option.says.values())
            else:
                assert all(name.isdigit() for name in option.says if name) and "{}" in option.says[""]
            assert option.rule

    def test_the_orders_of_who_sent_nothing_read_back(self, ruleset: Any) -> None:
        """`parse` of `format` gives the same orders."""
        for state, _ in played(ruleset):
            for seat in ruleset.phase(state).owing:
                orders = ruleset.missing(state, seat, Dice(bytes(32)))
                lines = ruleset.format(state, orders)
                parsed = ruleset.parse(state, seat, [OrderLine(n, text) for n, text in enumerate(lines, 1)])
                assert not parsed.complaints
                assert ruleset.format(state, parsed.orders) == lines
                assert [phrases.parts(line) for line in lines] == [(line,) for line in lines]
