"""What mail clients write around a quotation, in the languages of many clients."""

import pytest

from pbem.letters.new_text import new_lines

ATTRIBUTIONS = [
    "On Tue, Nov 24, 2026 at 8:00 AM Ember <ember+k3@example.org> wrote:",
    "On Tue, Nov 24, 2026 at 8:00 AM Ember Games, Moderator <ember+ember-7.k3@example.org>\nwrote:",
    "On Tue, Nov 24, 2026 at 8:00 AM The Moderator of Ember-7 <\nember+ember-7.k3@example.org> wrote:",
    "On Tue, Nov 24,\n2026 at 8:00 AM Ember\n<ember@example.org> wrote:",
    "On 24 Nov 2026, at 08:00, Ember wrote:",
    "On Tuesday Ember wrote:",
    "Ember <ember@example.org> writes:",
    "Quoting Ember <ember@example.org>:",
    "* Ember <ember@example.org> [2026-11-24 08:00]:",
    "Am Di., 24. Nov. 2026 um 08:00 Uhr schrieb Ember <ember@example.org>:",
    "Am 24.11.26 um 08:00 schrieb Ember:",
    "Le mar. 24 nov. 2026 à 08:00, Ember <ember@example.org> a écrit\u00a0:",
    "Le 24/11/2026 à 08:00, Ember a écrit :",
    "El mar, 24 nov 2026 a las 8:00, Ember (<ember@example.org>) escribió:",
    "Il giorno mar 24 nov 2026 alle ore 08:00 Ember <ember@example.org> ha scritto:",
    "Op di 24 nov 2026 om 08:00 schreef Ember <ember@example.org>:",
    "Em ter., 24 de nov. de 2026 às 08:00, Ember <ember@example.org> escreveu:",
    "W dniu 24.11.2026 o 08:00, Ember pisze:",
    "wt., 24 lis 2026 o 08:00 Ember <ember@example.org> napisał(a):",
    "Den tis 24 nov. 2026 kl 08:00 skrev Ember <ember@example.org>:",
    "tir. 24. nov. 2026 kl. 08:00 skrev Ember <ember@example.org>:",
    "ti 24. marrask. 2026 klo 8.00 Ember (ember@example.org) kirjoitti:",
    "út 24. 11. 2026 v 8:00 odesílatel Ember <ember@example.org> napsal:",
    "вт, 24 нояб. 2026 г. в 08:00, Ember <ember@example.org>:",
    "2026年11月24日(火) 8:00 Ember <ember@example.org>:",
    "Ember <ember@example.org> 于2026年11月24日周二 08:00写道：",
    "2026년 11월 24일 (화) 오전 8:00, Ember <ember@example.org>님이 작성:",
]

ABOVE_QUOTED = [
    "The Ember Arena wrote:",
    "The Ember Arena: ember-7 wrote:",
    "Ember schrieb:",
    "ember@example.org:",
    "Ember Games :",
    "Ember kirjutas:",
]
"""Attributions without a date, some in languages that we do not know; only the quotation below tells."""

HOLDING_ON = ["if my energy < 40:", "defend 20 else:", "for Round 5:", "press to all:", "~ if attacked by Cuttlefish:"]
"""Lines that hold on to what follows; without them it would be an order for now and for everybody."""

BLOCKS = [
    "From: Ember <ember@example.org>\nSent: Tuesday, November 24, 2026 8:00 AM\nTo: Ada\nSubject: [ember-7] Round 3",
    "From: Ember\nDate: Tuesday, 24 November 2026 at 08:00\nTo: Ada\nCc: Bo\nSubject: [ember-7] Round 3",
    "*From:* Ember\n*Sent:* 24 November 2026 08:00\n*To:* Ada\n*Subject:* [ember-7] Round 3",
    "Von: Ember\nGesendet: Dienstag, 24. November 2026 08:00\nAn: Ada\nBetreff: [ember-7] Round 3",
    "De : Ember\nEnvoyé : mardi 24 novembre 2026 08:00\nÀ : Ada\nObjet : [ember-7] Round 3",
    "-------- Forwarded Message --------\nSubject: \tRound 3\nDate: \tTue, 24 Nov 2026 08:00 +0000\nFrom: \tEmber",
    "---------- Forwarded message ---------\nFrom: Ember\nDate: Tue, Nov 24, 2026 at 8:00 AM\nTo: <ada@example.com>",
    "Begin forwarded message:\n\nFrom: Ember\nSubject: Round 3\nDate: 24 November 2026 at 08:00:00 CET\nTo: Ada",
    "________________________________\nFrom: Ember\nSent: Tuesday, 24 November 2026 08:00\nTo: Ada\nSubject: R",
]

STRANGE_BLOCKS = [
    "Feladó: Ember <ember@example.org>\nElküldve: 2026. november 24., kedd 8:00\nCímzett: Ada\nTárgy: Round 3",
    "差出人: Ember\n送信日時: 2026年11月24日 8:00\n宛先: Ada\n件名: Round 3",
    "발신: Ember <ember@example.org>\n일시: 2026-11-24 08:00\n수신: Ada",
    "Kutoka: Ember <ember@example.org>\nIlitumwa: 24/11/2026 08:00\nKwenda: Ada\nMada: Round 3",
    '------ Original Message ------\nFrom "Ember" <ember@example.org>\nTo ada@example.com\nDate 24/11/2026 08:00\nSubject R',
    "-----Original Message-----\nFrom: ember@example.org\nSubject: Round 3",
    '------------------ 原始邮件 ------------------\n发件人: "Ember" <e@example.org>;\n发送时间: 2026年11月24日 8:00\n\n主题: R',
]
"""Blocks in languages that no table has, below a line that says what follows, and with a blank line inside."""

RUN_ON = [
    "    On Tuesday, November 24, 2026 at 08:00 AM GMT, Ember <ember@example.org> wrote:  \n \n Dear Ada,\n attack Bo 50",
    'On 24/11/2026, 08:00, "Ember" <ember@example.org> wrote:\n\n    Dear Ada,\n    attack Bo 50',
    "  On Tue, 24 Nov 2026 at 8:00, Ember<ember@example.org> wrote:   Dear Ada,\n  attack Bo 50",
]
"""Attributions above what the client indented and did not mark."""

NO_FRAMES = [
    "press to all:\nOn Tuesday 24 Nov 2026 Bo promised, and I wrote:\nnever again\nend press\nattack Bo 20",
    "----- my orders -----\nto Bo: hello\nno\nfrom Ada",
    "From: Bo\nattack Bo 20\nTo: all",
    "one: 1\ntwo: 20:00\nthree: 3",
    "From: Ada\nhero: Mantisman\nattack Cuttlefish 20",
    "From: Ada\nTo: Ember\nSubject: my orders\nattack Cuttlefish 20",
    "hero: Mantisman\npower: Tough Hide\ntext: +15 to your Defence.\nask me: Zypher",
    "To: Cuttlefish\nDate: now\ndefend 20",
    "press to all:\nWho said: attack at 20:00?\nend press",
    "- attack Cuttlefish 20\n- defend 50",
    "Thanks,\nattack Cuttlefish 20",
    "on my word\nattack Cuttlefish 20\nstanding: on",
    "deadline 2026-11-24 20:00 Europe/London\nreplace bo by cy@example.org\npress to all:\nwelcome",
    "if attacked by Cuttlefish: defend 40,\nattack Cuttlefish 10 else:\nwait",
    "-----\ndefend 20\n_____",
    "---- orders ----\ndefend 20",
    "sidekick Bucky: attack Cuttlefish 30; defend 20\nroll: ignore largest attack\ncaptions: ZOWIE, KRAK",
    "Warning: I hit back at 20:00\nCAUTION: so do I",
]


def texts(body: str, *ours: str) -> list[str]:
    """Return the texts of the new lines of a body, without the blank ones."""
    return [line.text for line in new_lines(body.split("\n"), ours) if line.text]


@pytest.mark.parametrize("attribution", ATTRIBUTIONS, ids=range(len(ATTRIBUTIONS)))
def test_an_attribution_is_not_new(attribution: str) -> None:
    """An attribution goes with all its lines, the line directly above it stays, and so does what follows."""
    assert texts(f"defend 20\n{attribution}\n> Round 3\n\nwait") == ["defend 20", "wait"]


@pytest.mark.parametrize("attribution", ABOVE_QUOTED)
@pytest.mark.parametrize("ours", ["", "Round 3\nDeadline tonight."], ids=["unknown", "known"])
def test_a_line_above_the_quotation_that_ends_in_a_colon_is_nobodys_order(attribution: str, ours: str) -> None:
    """It is glued to no line that was written below the quotation, and what stands above it stays."""
    quoted = f"{attribution}\n> Round 3\n> Deadline tonight.\n\nattack Mantis 30"
    assert texts(quoted, ours) == ["attack Mantis 30"]
    assert texts(f"defend 20\n{quoted}", ours) == ["defend 20", "attack Mantis 30"]


def test_an_attribution_with_a_verb_may_stand_a_blank_line_above() -> None:
    """And above a letter of ours that was quoted without marks."""
    ours = "Round 3\nDeadline tonight."
    assert texts("The Ember Arena wrote:\n\n> Round 3\n\nwait") == ["wait"]
    assert texts(f"defend 20\nThe Ember Arena wrote:\n\n{ours}\nwait", ours) == ["defend 20", "wait"]


@pytest.mark.parametrize("line", HOLDING_ON)
def test_a_line_that_holds_on_to_the_next_stays_with_it(line: str) -> None:
    """A quotation between a condition and its order takes nothing away: never an order without its condition."""
    assert texts(f"{line}\n> Round 3\ndefend 40") == [line.removeprefix("~ "), "defend 40"]


def test_a_quoted_condition_that_was_wrapped_is_whole() -> None:
    """A filled form line whose end was wrapped off does not lose its condition to the rule of attributions."""
    condition = "~ if attacked by Doctor Cuttlefish and my energy < 40:"
    body = f"The Ember Arena wrote:\n> Round 3\n> {condition}\n> defend 40\n> Deadline tonight."
    assert texts(body) == [f"{condition[2:]} defend 40"]


def test_a_later_line_with_a_colon_is_no_attribution() -> None:
    """Between two quotations only a line with a hint of who wrote, and when, introduces."""
    assert texts("> Round 3\nplan Precognition:\n> defend what?\nrest on Bolt") == [
        "plan Precognition:",
        "rest on Bolt",
    ]


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_what_a_header_block_introduces_is_not_new(block: str) -> None:
    """Below a block of headers stands somebody's letter, without quote marks."""
    assert texts(f"defend 20\n\n{block}\n\nDear Ada,\nattack Plastiquegirl 50\n\n~ wait") == ["defend 20", "wait"]


@pytest.mark.parametrize("block", BLOCKS, ids=range(len(BLOCKS)))
def test_answers_in_our_letter_below_a_header_block_are_new(block: str) -> None:
    """Where a letter of ours stands below the block, what is not ours is an answer."""
    ours = "The tentacles closed on Mantisman.\n\nWhat will you do now?\n\nDeadline tonight."
    quoted = ours.replace("now?\n", "now?\ndefend 20\n")
    assert texts(f"{block}\n\n{quoted}\nwait", ours) == ["defend 20", "wait"]


@pytest.mark.parametrize("body", NO_FRAMES, ids=range(len(NO_FRAMES)))
def test_what_looks_like_a_header_to_a_library_is_kept(body: str) -> None:
    """A line that a person wrote is not lost because it looks a little like what clients write."""
    assert texts(body) == body.split("\n")


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "Sent from my Galaxy S24",
        "Get Outlook for iOS<https://example.org/o0ukef>",
        "Sent from Mail for Windows",
        "Sent from Yahoo Mail on Android",
        "Von meinem iPhone gesendet",
        "Gesendet von Outlook für Android",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Inviato da iPhone",
        "Verzonden vanaf mijn iPad",
        "Skickat från min iPhone",
    ],
)
def test_what_a_phone_adds_is_not_new(line: str) -> None:
    """The phone's own line goes, and what a person typed below it stays."""
    assert texts(f"defend 20\n\n{line}\n\nwait") == ["defend 20", "wait"]


def test_a_signature_ends_at_the_quotation() -> None:
    """Two dashes begin a signature; the quotation or our letter ends it, and what follows counts again."""
    assert texts("defend 20\n-- \nAda\nattack 1\n\nOn Tuesday Ember wrote:\n> Round 3\nwait") == ["defend 20", "wait"]
    ours = "Our letter.\n\nIt is long.\nAda"
    assert texts(f"defend 20\n--\nAda\nattack 1\n{ours}\nwait", ours) == ["defend 20", "wait"]


def test_the_warning_of_a_mail_gate_is_not_new() -> None:
    """What a gate set above our letter goes; what stands there otherwise is an answer."""
    block, ours = BLOCKS[0], "The tentacles closed.\nHe held one.\nDeadline tonight."
    caution = "CAUTION: This mail came from outside.\nDo not open links."
    assert texts(f"wait\n\n{block}\n\n{caution}\n\n{ours}", ours) == ["wait"]
    assert texts(f"wait\n\n{block}\n\ndefend 20\n\n{ours}", ours) == ["wait", "defend 20"]


@pytest.mark.parametrize("block", STRANGE_BLOCKS, ids=range(len(STRANGE_BLOCKS)))
def test_a_block_in_any_language_is_one(block: str) -> None:
    """An address in one field and a day and a time in another are enough, or a line that says what follows."""
    assert texts(f"defend 20\n\n{block}\n\nDear Ada,\nattack Plastiquegirl 50") == ["defend 20"]


@pytest.mark.parametrize(
    "above",
    [
        "From: Ada",
        "do: discard this",
        "date: now",
        "subject: me",
        "a: b\nno: c\nan: d",
        "ask me: Bo",
        "press to Bo: at 8 o'clock\npress to all: at 9",
    ],
)
def test_a_line_with_a_colon_above_a_block_stays(above: str) -> None:
    """A block begins with its first field, also where no blank line stands above it."""
    for gap in ("", "\n"):
        assert texts(f"{above}\n{gap}{BLOCKS[0]}\n\nattack Bo 50") == above.split("\n")


def test_below_a_block_with_quote_marks_answers_stay() -> None:
    """Some clients write a block of headers and mark what they quote as well."""
    body = f"{BLOCKS[0]}\n\n>Round 3\n>What now?\ndefend 20\n>Deadline tonight.\nwait"
    assert texts(body) == ["defend 20", "wait"]


@pytest.mark.parametrize("quoted", RUN_ON, ids=range(len(RUN_ON)))
def test_what_is_indented_below_an_attribution_is_quoted(quoted: str) -> None:
    """Indented lines go; what stands below them at the margin was newly written."""
    assert texts(f"defend 20\n\n{quoted}") == ["defend 20"]
    assert texts(f"{quoted}\n\nwait") == ["wait"]


def test_below_an_attribution_without_a_quotation_what_counts_is_what_stands_above() -> None:
    """Nothing marked and something above: it is quoted; nothing above: somebody cut the quotation away."""
    attribution = ATTRIBUTIONS[0]
    assert texts(f"defend 20\n\n{attribution}\n\nDear Ada,\nattack Bo 50") == ["defend 20"]
    assert texts(f"{attribution}\n\ndefend 20\nattack Bo 50") == ["defend 20", "attack Bo 50"]


def test_an_order_above_a_wrapped_attribution_is_none_of_it() -> None:
    """Neither a comparison nor a date in the order makes it a part of what follows."""
    for order in ("if my energy < 40: wait", "deadline 2026-11-24 20:00 Europe/London", "On Bo I use Laser Eyes x3"):
        for wrote in ("Ember <ember@example.org> wrote:", "Ember Games (<\nember@example.org>) escribió:"):
            assert texts(f"{order}\n{wrote}\n> Round 3") == [order]


def test_initials_before_the_mark_are_a_mark() -> None:
    """Some clients put the initials of the quoted person before each mark; once is no custom."""
    body = "EG> Round 3\nEG> EG> attack Bo 50\nEG>\n\ndefend 20"
    assert texts(body) == ["defend 20"]
    assert texts("A> B\ndefend 20") == ["A> B", "defend 20"]


@pytest.mark.parametrize(
    "said", ["Sent with Proton Mail secure email.", "Wysłane z iPhone'a", "发自我的iPhone", "iPhoneから送信"]
)
def test_what_a_telephone_adds_is_not_new(said: str) -> None:
    """In any language; the line below it counts again."""
    assert texts(f"defend 20\n\n{said}\n\nwait") == ["defend 20", "wait"]


def test_the_notice_of_a_company_is_not_new() -> None:
    """It goes up to the next blank line; a short line that begins like it stays."""
    notice = (
        "This e-mail and any attachments are confidential and meant for its addressee alone.\nattack 1 of Example Ltd"
    )
    assert texts(f"defend 20\n\n{notice}\n\nwait") == ["defend 20", "wait"]
    assert texts("This message is intended for Bo") == ["This message is intended for Bo"]
