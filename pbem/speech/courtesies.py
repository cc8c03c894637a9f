"""Greetings and good wishes, which are no orders; exact patterns only, and no game's words."""

import re

from pbem.language import phrases

_GREETING = (
    r"(?:hi|hello|hey|hiya|howdy|yo|dear|greetings|(?:good )?(?:morning|afternoon|evening|day)|hallo|halli hallo|moin(?: moin)?"
    r"|servus|grüß gott|grüezi|lieber?|liebes|guten (?:morgen|tag|abend)|salut|bonjour|bonsoir|coucou|ch(?:er|ère)s?|ciao"
    r"|buon ?giorno|buona ?sera|car[oaie]|hola|buen[oa]s(?: (?:días|dias|tardes|noches))?|querid[oa]s?|olá|ola|oi"
    r"|bo[am] (?:dia|tarde|noite)|goede(?:morgen|middag|navond| morgen| middag| avond)|beste|cześć|witam|dzień dobry"
    r"|drog[ai]|hej|hei|hejsan|kära|käre|kjære|kære|moi|terve|ahoj|dobrý den|szia|привет|здравствуйте|добрый (?:день|вечер))"
)
_CLOSING = (
    r"(?:(?:many |with )?thanks(?: (?:a lot|again|in advance|so much))?|thank you(?: (?:very much|again|in advance))?"
    r"|thx|ta|cheers|(?:(?:best|kind|kindest|warm|warmest|with best|with kind) )?regards|best(?: wishes)?"
    r"|all the best|yours(?: (?:sincerely|faithfully|truly|ever))?|sincerely(?: yours)?|take care|see you(?: all)?|bye(?: bye)?"
    r"|cheerio|ta ta|bye for now|ciao for now|catch you later|(?:till|until) next (?:time|week)|good luck(?: (?:all|everyone|everybody))?|have fun|(?:lots of )?(?:hugs|love)|x{2,4}|(?:xo){2,3}|ttyl|talk soon"
    r"|(?:viele|liebe|beste|schöne|herzliche|lg|vg) grüße|grüße|gruß|(?:lieben|schönen|viele|besten) gruß|lg|vg|mfg"
    r"|mit (?:freundlichen|besten|herzlichen) grüßen|danke(?: (?:schön|dir|euch|sehr))?|vielen dank|bis (?:bald|dann)|tschüss"
    r"|merci(?: (?:beaucoup|bien|d['\u2019]avance))?|(?:bien )?(?:cordialement|amicalement)|amitiés|(?:grosses? )?bises|bisous"
    r"|à (?:bientôt|plus)|(?:un |cordiali |tanti )?(?:abbraccio|saluti)|grazie(?: (?:mille|a tutti))?|baci|a presto|alla prossima|buone feste"
    r"|(?:un (?:saludo|abrazo)|saludos|abrazos|besos)(?: cordiales)?|(?:muchas )?gracias|hasta (?:luego|pronto|la próxima)|cuídate(?: mucho)?"
    r"|(?:met )?vriendelijke groet(?:en)?|groetjes|groeten|groet|bedankt|dank je(?: wel)?|tot (?:ziens|snel|de volgende(?: keer)?)"
    r"|abraços?|beijos|(?:muito )?obrigad[oa]|até (?:logo|breve)|pozdrawiam|pozdrowienia|dzięki|dziękuję"
    r"|(?:med )?(?:vänliga |bästa |vennlig |venlig )?h(?:älsningar|älsning|ilsen)|mvh|vh|kram|klem|knus|tack|takk|tak"
    r"|(?:parhain )?terveisin|kiitos|спасибо|с уважением|до встречи|всем удачи|díky|pozdrav)"
)
_ALL = (
    r"(?:all|everyone|everybody|there|folks|team|moderator|friends|both|again|you two|guys|zusammen|alle|allerseits|leute"
    r"|tous|toutes|tout le monde|à tous|a tutti|tutti|a todos|todos|amigos|allemaal|iedereen|alla|alle sammen|всем|wszystkim)"
)
_NAME = r"[^\W\d_]+(?:[-'.][^\W\d_]+)*\.?"
_GREETED = re.compile(rf"{_GREETING}(?: {_ALL}|,? ({_NAME}))?[,.!:]*", re.IGNORECASE)
_CLOSED = re.compile(rf"{_CLOSING}[,.!]*(?: ({_NAME}(?: {_NAME})?)[,.!]*)?", re.IGNORECASE)
_LONE_NAME = re.compile(r"[-~ ]*(.*?)[ .,!]*")

_COMMAND = re.compile(
    r"accept|approve|cancel|concede|confirm|draw|end|forget|help|hold|join|leave|list|no|observe|pass|pause|preview"
    r"|ready|refold|resign|results|resume|rulings|standing|status|test|undo|unready|veto|wait|yes",
    re.IGNORECASE,
)
"""Orders and answers of one word, which no greeting and no name may hide."""


def courtesy(line: str, name: str = "") -> bool:
    """
    Say whether a line is a greeting, a closing, or the writer's own name, and nothing else.

    Shape: `name` is the writer's display name. A line with a digit, or with a word that could be an order by
    itself, is never a courtesy.
    """
    text = phrases.clean(line)
    if not text or len(text) > 60 or re.search(r"\d", text):
        return False
    for pattern in (_GREETED, _CLOSED):
        match = pattern.fullmatch(text)
        if match:
            return not has_command(match[1] or "")
    alone = _LONE_NAME.fullmatch(text)
    own = phrases.clean(name).casefold()
    names = {own, *own.split()[:1]} - {""}
    return bool(alone and alone[1].casefold() in names and not has_command(alone[1]))


def has_command(words: str) -> bool:
    """Say whether a word is an order or an answer by itself."""
    return any(_COMMAND.fullmatch(word.strip(".,!")) for word in words.split())
