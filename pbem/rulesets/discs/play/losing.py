"""What becomes of a Program that is De-Rezzed, of its cards, and of its Disc."""

from pbem.rulesets.discs.play.play import Play


def de_rez(play: Play, seat: str, by: str) -> None:
    """
    Take a Program off the Grid; its cards go too, but for those that move its Disc as long as that flies.

    Rule: D6, D8, D16, T-e, T-kk.
    """
    me = play.program(seat)
    keeps = me.disc is not None and play.state.house["ghost_cards"] == "move"
    cards = {} if keeps else {"deck": 0, "used": 0}
    play.note(lost=True)
    play.change(seat, out=True, by=by, fell=play.state.turn, prone=False, held=0, **cards)
    for program in play.state.programs:
        if program.disc:
            play.put(program.seat, program.disc)
    play.tell("derezzed", "D16", seat=seat, who=me.name, by=play.program(by).name, flies=me.disc is not None)


def lose_disc(play: Play, seat: str, where: str) -> None:
    """Take the Disc of a De-Rezzed Program away, and the last of its cards with it. Rule: D6, D20."""
    play.change(seat, disc=None, deck=0, used=0)
    play.tell("gone", "D20", seat=seat, who=play.program(seat).name, where=where)
