"""Which words of talk are harmless by themselves, and which change the lines beside them; knows no game."""

import re
from collections.abc import Collection

from pbem.language import phrases

_WORD = re.compile(r"[^\W\d_]+(?:['\u2019][^\W\d_]+)*|\d+")

_DRAWN_TOGETHER = re.compile(r"(?<=\w)'(?:s|re|ve|ll|d|m)$")

_CHANGING = """
if unless only but not no instead also rest else same keep make swap cancel ignore draft wait except otherwise rather
until when whenever never change changed actually scratch forget replace provided case correction oops without undo
mistake leave none skip nothing disregard double half less yet last previous above again before usual back omit remove
void delete once twice assuming depending condition scrap revoke strike nevermind nvm typo wrong joke tentative
tentatively provisional preliminary tbc wip placeholder backup fallback next maybe perhaps possibly example option
either neither now unsure wenn falls sofern nicht kein keine keinen nur aber statt stattdessen auch sonst doch ohne
solange vielleicht vergiss sobald si sauf pas ne seulement mais aussi sinon plutôt sans moins annule se non solo ma
invece anche tranne altrimenti senza pero però salvo menos excepto también tambien cuando sino sin als tenzij niet
geen maar alleen ook anders jeśli jesli nie tylko ale если не только но кроме пока om inte bara men också ikke hvis
kun jos ei vain ha nem csak não nao mas entwurf vorläufig noch nochmal wieder nächste nächsten nächstes warte warten
lieber beispiel falsch fehler löschen brouillon provisoire attends attendez prochain prochaine encore peut-être peut
plutot annulez erreur borrador espera quizás quizas tal vez cancela olvida próximo próxima todavía bozza aspetta forse
annulla prossimo prossima ancora misschien wacht volgende nog liever vergeet concept rascunho espere talvez cancele
apenas utkast vänta kanske istället nästa vente kanskje neste kladde vent måske næste szkic czekaj może anuluj zamiast
jednak черновик подожди может вместо отмени luonnos odota ehkä paitsi retract retracted retracts withdraw withdrawn
rescind reverse reversed revise revised amend adjust reconsider redo bin ditch scrub toss cancelled canceled cancels
ignored replaced removed deleted skipped changes swapped disregarded storno storniere storniert gestrichen streiche
streichen verwerfen verworfen ungültig widerrufen widerrufe zurück zurückgezogen rückgängig ändern ändere geändert
außer ausser trotzdem doppelt hälfte letzte letzten letztes bevor nachdem annulé annulée changez changer remplacer
remplace retirer retire oublie oubliez moitié quand lorsque avant après anulado anular cambia cambiar retira retirar
olvidar mitad antes después solamente únicamente annullato cambiare ritira metà dopo quando soltanto oppure
geannuleerd annuleer verander wijzig wanneer behalve helft maal vóór anulowane zmień zmiana jeżeli chyba gdy kiedy
oprócz zamień avbryt ändra ångra endre angre slett aldri aldrig förutom unntatt undtagen hvornår når отменить отменяю
изменить когда либо хотя pokud jestli zruš změň když jen pouze vagy mégse töröl dacă nu dar doar anulează eğer ama
değil sadece iptal αν δεν αλλά μόνο όχι якщо але тільки скасуй ako ali samo poništi jika tidak tapi hanya batal
peruuta muuta älä mutta nah nope naw superseded decide decided deciding undecided forward forwarded forwarding
overruled outdated obsolete expired stale leftover pending postpone postponed await awaiting unofficial unconfirmed
conditional conditionally conditions penciled pencilled lightly gently minimum maximum max min cap limit whichever
whatever whoever regardless feint ruse decoy fake dummy smokescreen rehearsal trial jk joking jokingly kidding kidded
pretend pretending brainstorming brainstorm musing sketch ditto opposite vice versa backwards contrary discard
discarded abort aborted abandon abandoned stop stopp halt freeze suspend suspended overwrite overwritten mistaken
mistook misread mistyped invalid nonsense rubbish bollocks crap hopefully alternatively alternative optional
optionally ideally preferably prefer roughly barely lass lasst lassen quatsch unsinn andersrum umgekehrt gegenteil
scherz witz überholt veraltet versehen irrtum verschrieben vertippt verwechselt probe testweise vorbehalt
vorbehaltlich eventuell evtl ggf gegebenenfalls notfalls höchstens mindestens vorerst erstmal einstweilen abwarten
überlege überlegen bedenkzeit unsicher unschlüssig umentschieden aufheben aufgehoben verschieben zuerst ausnahmsweise
jedenfalls bloß erst sollte hätte wäre womöglich vermutlich idee ideen laisse laissez tomber contraire inverse oublié
trompé trompée plaisante plaisanterie blague essai éventuellement verrai verra réfléchis réfléchir hésite dépend selon
moindre voire confirmer confirme idée tard finalement autrement lorsqu quoique ignorez olvídalo olvide olviden deja
dejad déjalo revés contrario equivoqué equivocado equivocada error broma prueba ideas confirmar depende según dudo
duda dudas pensarlo quizá acaso máximo mínimo pendiente ignora ignorad ignoren anterior todavia lascia lasciate stare
perdere sbagliato sbagliata sbaglio scherzo scherzavo scherzando prova confermare dipende secondo dubbio provvisorio
provvisoria massimo minimo magari eventualmente dimentica dimenticate ignorate precedente andersom omgekeerd vorig
vorige vergis vergist vergissing grap grapje proef bevestigen afhankelijk twijfel voorlopig hoogstens minstens
eventueel straks negeer negeren bedoelde esquece esqueça deixa contrário engano enganei brincadeira teste ideia dúvida
provisório mudei zapomnij zapomnijcie odwrotnie pomyłka pomylka żart żartuję próba pomysł zależy wątpię ewentualnie
najwyżej poprzednia poprzedniej poprzednie nieaktualne wycofuję zignoruj wstępnie glöm strunta tvärtom fel skämt
skojar beror osäker tveksam förra preliminärt högst minst ångrar ignorera glem omvendt fejl feil spøk afhænger
avhenger usikker forrige foreløbig højst høyst ombestemt droppe dropp ignorer unohda unohtakaa vitsi toisin riippuu
epävarma edellinen äskeinen alustava zapomeň zapomeňte naopak omyl vtip možná zatím předběžně neber přemýšlím minulé
minulého felejtsd felejtsétek mégsem fordítva tévedés vicc talán egyelőre várj előző забудь забудьте наоборот ошибка
ошибся ошиблась шутка шучу возможно предварительно подождите прошлый прошлого прошлой передумал передумала считай
считайте vazgeçtim unut unutun tersi şaka belki bekle yanlış sayma ξέχνα ξεχάστε άσ άσε αντίθετα λάθος αστείο ίσως
περίμενε idea mad dreams april options mulling mull remplacé remplacée remplacés reemplazado reemplaza sostituito
sostituisce ersetzt ersetze vervangen vervang nadpisuje premesso purché finché fintanto affinché pourvu tant afin
mientras finchè zolang mits indien dopóki warunkiem ifall såvida
"""
CHANGING = frozenset(_CHANGING.casefold().split())
"""Words that change another line, in the languages that people write most; and so does every word in n't."""

_HARMLESS = """
a about absolutely ado afternoon ah airport all always am amazing an and any applause are arena argh as asked at
autumn awesome awfully baby banzai battle be beach beautiful because bed bedtime been beer being big bike birthday
blimey bloody book books bored boring boss both bravo bread brilliant brother brr brutal buddy bus busy bye cackles
cake came car care cat charming cheerful cheering cheerio cheers child children christmas chuckles city clever close
cloud clouds coffee cold colleague concert confidential congrats congratulations cooked cooking cool cough crazy cried
crikey crossed cruel crying cup curious dad damn daughter daughters day days dear delay destiny dinner dog doom easter
enjoy enjoyed enjoying epic especially evening ever every everybody everyone evil excellent excited exciting fame
family fantastic far fate father feel feeling film fine finger fingers flat flu folks food for forgive fortune forward
freezing friend friends from fun funny game games garden gardening genius gente gentlemen geronimo get getting
giocatori glad glory go going good goodness gosh got gracious grandma great greetings grr guys ha haha hahaha hands
happy hard harhar has he head health hear heart heat heavens hehe hehehe hell hello help helped her here hero heroes
hers hey hi hihi hihihi him his hiya ho holiday holidays home honour hooray hope hoping hot house how hug hugs hurrah
hurry hurt hurts i i'll i'm i've ill in is it it's job joueurs journey jugadores keep kid's kind kitchen know ladies
late laugh laughed laughing lazy learn legend leute life like little lmao lol looking lot lots love lovely luck lucky
lunch mail mails man many marvellous mate mates me meeting merry message mind moderator moon morning mother mother's
mountain mountains movie muahaha muahahaha much mum music my myself name nap nasty nervous news nice night of office
oh ok okay on ouch our pain pal pals parents party peace people perfect phew phone pizza plane play played player
players playing please pleased pleasure project quite rain raining reading really regards reply report reports revenge
rofl rough run running sad said say scary school screaming sea season see seeing she short show shy sick sister sit
sitting sky sleep slow small smile snow snowing so some somebody someone song sorry speak spelers spieler splendid
spring star stars start station still storm stuff summer sun sunny super tally tea team thank thanks the their them
there's these they this thrilled tired to together too tough train travel travelling trip truly ugh us very village
villain visit voilà wake walk walked walking war warm watched watching we weather wedding week weekend welcome well
what wife wind windy wine winter wishing with woke woohoo world worries worry wow wrote yay yeah year yes yippee you
your yours yourself yum よろしくお願いします
"""
HARMLESS = frozenset(_HARMLESS.casefold().split()) - CHANGING
"""Words that change no line, and stand for none; talk in others may."""

_HEADING = """
my our the these here are is below follow follows following orders order moves move bid bids turn round actions
action for this hi and please so meine befehle züge hier sind mes ordres voici mis ordenes órdenes jugadas ordini
ecco mijn zetten moje rozkazy mine mina here's i alright befehl zug runde du tour ordre pour instrucciones turno
ronda miei mosse ordens minhas jogadas bevelen drag ordrer ruchy мои приказы ходы 命令 私の命令 以下是我的命令 kindly
list final answer take do ok i'll mein ist voilà 好的 这是我的命令 שלום auftrag aufträge spielzüge folgt es folgen ci
dessous coups mouvements siguientes movimientos
seguenti ordine meus lances movimentos orden ordem instruksjoner mijne volgt mitt mina dragen följer
träk træk trekk mine ordrene käskyni siirtoni tässä määräykseni posunięcia oto moje tahy příkazy zde jsou moji
príkazy ťahy tu sú parancsaim lépéseim íme ordinele mele mutările iată вот мої накази ходи ось моите заповеди ходове
ето emirlerim hamlelerim işte naredbe potezi evo moja ukazi perintah langkah saya berikut
lệnh của tôi 我的命令 我的指令 以下是我的指令 指令 下達命令 わたしの命令 命令です 내 명령 명령입니다
הפקודות שלי הנה أوامري هذه ronde manche rodada runda omgång kierros kolo раунд тур lap vuelta giro giornata gebot gebote von enchère enchères offre offres puja pujas offerta offerte bod oferta oferty bud ставки rundę na раунд tura kör kolejka choice
choices decision decisions instruction instructions set message entry input response answers game player seat
"""
_GREEK = "\u03bd\u03b1 \u03bf\u03b9 εντολές \u03bc\u03bf\u03c5"
HEADING = frozenset(f"{_HEADING} {_GREEK}".casefold().split())
"""Words of which a heading is made that only says what stands below it."""

_GREETING = re.compile(
    r"(?:good luck|hi|hello|hey|dear|cheers|well played|congrats|happy birthday)\b",
    re.IGNORECASE,
)
_OPENS = (":", ";", "\uff1a")
_CALLED = re.compile(r", [A-Z][^\W\d_]+ ?(?=[:;\uff1a]$)")
"""Who is called upon at the end of a heading."""
_WHEN = re.compile(r"\b\d{1,2}[./:]\d{2}(?:[./]\d{2,4})?\b\.?|\b20\d\d\b")
"""A day or a time of day, which is no number of an order."""
_PHRASES = re.compile(
    r"\b(?:as|so) long as\b|\b(?:take|took) (?:that|it|this|them)\b|\bon condition\b|\bone of\b|\bmay be\b|\bout of\b"
    r"|\bs['\u2019]ils?\b|\bes sei denn\b|\bto be confirmed\b|\ball in\b|\bhang on\b|\bhold (?:on|off)\b|\bsecond thoughts?\b|\bgo easy\b|\b(?:round|turn) after\b|\bfor the (?:round|turn|bout|lap) \w|\bstand by\b|\bsit tight\b|\bdry run\b|\bat (?:most|least)\b|\bsubject to\b|\bmal sehen\b|\bsempre che\b|\bsiempre que\b|\bsempre que\b|\ben attendant\b|\bpod warunkiem\b|\blaat maar\b"
    r"|如果|要是|不|但|只|改|取消|也许|もし|ない|ません|けど|だけ|やめ|たぶん|만약|않|하지만|취소|아니|아마|אם|לא|אבל|רק|אולי|إذا|لكن|فقط|ربما"
)


_IDIOMS = re.compile(
    r"\b(?:no (?:worries|problem|idea|rush|hurry|matter)|not bad|why not|can['\u2019]?t wait|not much|never dull"
    r"|(?:this|that|the whole|last) (?:week|weekend|evening|morning|afternoon|year|month|time|way|summer|winter|spring)"
    r"|(?:running|love|loving|loved|enjoy|enjoying|enjoyed|hosting|organi[sz]ing) (?:it|this|that)"
    r"|here we go again|last night|last week|next (?:week|weekend|year|month|time)|see you (?:all )?next round|keep up|take care|bring it on|without further ado|better late than never|no joke|for now|here goes nothing|nothing else"
    r"|can you believe it|that['\u2019]?s (?:it|all|me done)|got to run|back home|back soon|once more|look(?:ing)? forward|it(?:['\u2019]s| is| was) (?=\w))\b|\bha(?=!)",
    re.IGNORECASE,
)
"""What people say with a word that changes things, and change nothing."""


_LIMITS = re.compile(
    r"(?:(?:and|but|or|und|aber|et|mais|y|pero|e|ma|en|maar)\s+)?"
    r"(?:if|unless|only|when|whenever|until|till|except|provided|providing|assuming|in case|(?:as|so) long as|on condition"
    r"|not if|not when|wenn|falls|sofern|solange|nur|außer|si|sauf|seulement|quand|tant que|salvo|solo|sólo|cuando|se"
    r"|tranne|quando|als|tenzij|alleen|zolang|só|jeśli|tylko|chyba|gdy|om|bara|hvis|kun|jos|vain|если|только|когда)\b",
    re.IGNORECASE,
)


def limits(text: str) -> bool:
    """Say whether a line begins as what limits another does: `unless he defends`."""
    return _LIMITS.match(phrases.clean(text)) is not None


def words(text: str) -> list[str]:
    """Return the words and numbers of a line, in small letters."""
    return [word.replace("\u2019", "'") for word in _WORD.findall(phrases.clean(text).casefold())]


def bases(text: str) -> list[str]:
    """Return the words of a line without what is drawn together behind them: `you` of `you're`."""
    return [_DRAWN_TOGETHER.sub("", word) for word in words(text)]


def without_idioms(text: str) -> str:
    """Take out what people say with a word that changes things, and change nothing."""
    return _IDIOMS.sub(" ", text)


def may_change(text: str, but: Collection[str] = ()) -> bool:
    """Say whether a line has a word that changes another one; `but` are such words that do not count here."""
    said = words(without_idioms(text))
    is_negated = any(word.endswith("n't") or word in ("dont", "wont", "cant", "cannot", "doesnt") for word in said)
    return is_negated or bool(CHANGING.difference(but) & set(said)) or bool(_PHRASES.search(" ".join(said)))


def is_heading(text: str, names: frozenset[str] = frozenset()) -> bool:
    """Say whether a line only says that orders stand below it; `names` are words that it may have besides."""
    said = set(words(text))
    return bool(said) and said <= HEADING | names


def without_opening(text: str) -> str:
    """Take off what makes a line a heading, as in `As I wrote on 22.11. at 20:00, Gwen:`; other lines are "" then."""
    said = _WHEN.sub(" ", _CALLED.sub("", phrases.clean(text)))
    return said.rstrip("".join(_OPENS)) if text.rstrip().endswith(_OPENS) else ""


def is_harmless(text: str, names: frozenset[str] = frozenset()) -> bool:
    """
    Say whether talk can change no order, and be none: all its words say nothing to a game.

    Shape: `names` are words of people's names, which may stand in a greeting.
    """
    said = set(words(without_idioms(text)))
    if may_change(text) or _PHRASES.search(" ".join(words(text))) or text.rstrip().endswith((":", "\uff1a")):
        return False
    return said <= HARMLESS | (names if _GREETING.match(phrases.clean(text)) else frozenset())
