"""Words of everyday talk, in the languages that people write most: none changes an order or is one; knows no game."""

from pbem.speech.chatter import CHANGING

_EVERYDAY = """
ache aching adorable adventure afraid age ages airplane alarm album alive allergy alright although amazed amused
ancestor angry animal animals anniversaries anniversary annoyed answer apartment apologies apologise apologize app
apple appreciate appreciated april area arrive arrived arrives arriving art article asleep august aunt aunts
autocorrect awake babies babysitter bad badly bag bags bakery balcony ball band bank bar barbecue bath bathroom beard
bee beers bees believe bell beside besides bicycle birthdays bitter blanket blast blessing boat boats body boiling
bored boring born bottle bottles bought brain brains breakfast breath breathe bright brings british broke broken
brought bug bugs building built busier business butter cafe camera camp camping canteen castle cats caught celebrate
celebrated celebrating cellar charger chat cheap cheese chef chess chicken chief chocolate choir church cinema class
classes clean cleaning clever clinic clock close closer cloudy club coach coast coat colleagues college comic comics
commute commuting company computer condolences conference connection cooker cookies corner cosy couch country couple
course cousin cousins cow cows crazy crossing crowd crowded dance dancing dead deadline december delayed delicious
dentist desk dessert devil diary died difficult dinners dishes district doctor's dogs door doors dream dreams drink
drinking drinks drive driving dry during duty ear early ears easily east eat eating editor eggs elbow electricity
embarrassed emergency empty enough errands essay europe event events everywhere exam exams excuse exhausted exhausting
expensive experience explain eye eyes fabulous face facts failed fair familiar famous fans fantasy farm favorite
favourite fear february feet fellow felt fence festival fever field finally find finding finish finished firemen fish
fishing flight flights floor flowers flying foggy folks follow foot football forest forever forgot forgotten france
freezing fresh friday fridge frightened fruit funeral furious future gang garage gate gave gentleman german germany
ghost gift gifts girl girlfriend girls glass gloves goal goals god gone gorgeous grade grand grandad grandchildren
granddad grandfather grandmother grandpa grandson grass grateful grey ground group grow growing grown guest guests
guitar gym hair hairdresser hall ham handsome happened happens harbour harvest hat hate hated headache healthy heard
heating heaven heavy height heroic highlight hiking hilarious hill hills history hobby homework honest honestly
honeymoon horrible horse hospital host hosting hosts hotel hour hours houses huge human hungry husband idea ideas
illness impressed impressive incredible indeed insane inside inspired interesting internet invitation invited ireland
island italy january jealous jet jetlag jetlagged joined jokes joy juice july june jury just keeper keyboard keys kid
kidding kids king kiss kisses kitchen kitten knee knew known lab ladder lady lake land landed landlord language laptop
laughing laughs laundry law lawn lawyer leaking leaves lecture led legendary legs lesson lessons library light lights
lips listened listening literally live lived lives living local locked london loud love loved loves loving lucky
luggage lungs mad made magic magnificent main march market marriage married marvel masterpiece matches maths meal
medicine meetings memory men merrily messages messy met metres mice middle midnight mile miles milk minute minutes
miserable missed missing moment moments monday money monster month months mood mosquitoes mothers motorway mouth
museum musical mysterious name names nature neck neighbour neighbours nephew nephews nerves network new newborn
newspaper nights noise noon north nose november nowhere nurse nut occasion october odd officially old online opera
opinion orchestra outage outside oven overslept packed packing pain paint painting paper papers paradise park parked
passport pasta patient pen pencil pension perfectly person pet phones photo photos piano pictures pie pier pig pink
pity planet plants plate pleasant pneumonia poem poet poetry pool poor popcorn port post postman pouring practice
prayer prayers pregnant present presents president pretty price princess printer prize problem problems professor
proud provider pub public pudding puppy purple queen question questions quiet radio railway rained rains ran rat
reached read real reality recently recipe red relatives relax relaxing remember remembered rent repair repaired rescue
restaurant rice rich ridiculous river road roads romantic roof room rooms roses route royal running rush rushed
rushing safely sailing salad sandwich sandwiches sat saturday sausage saw scared science scotland screen sea seat
seems seen semester september serious seriously served server shame ship shirt shock shocked shoes shop shopping short
shoulder shower sight signal silent silly sing singing sir sisters site skating ski skiing skin sleepy slept
smartphone smell smelled smiled smiling smoke snake sneeze snoring soccer sofa soldier solid somehow somewhere son
sons soon sore sorry soul sound sounds soup south space spain speech spell spider splendidly sport sports squirrel
stadium stairs starting starving stations stay stayed staying steep stomach stones stories stormy story strange street
stress stressed stressful stuck student students studied study studying stunning stupid suddenly suffering sugar suit
suitcase sunburn sunday sunshine supper surgery surprise surprised surprising sweet swim swimming system table talked
talking taste taught tax taxes taxi tea teach teacher teachers teeth telephone television tennis term terrible
terribly terrific theatre theirs themselves therapy thirsty though throat thumb thumbs thunder thunderstorm thursday
ticket tickets tide time times tiny today toes tonight tooth toothache topic tour tourist town toy toys tradition
traffic training trains tram translate translation travelled treat tree trees tremendous tricky trips trouble trousers
truck true truth tuesday tunnel tv twins typed typing typos ugly umbrella unbelievable uncle understand understood uni
university unlucky unpacked unwell upcoming upstairs useful usually vacation van vegan vegetables victory view views
vintage violin virus visited visiting visitors voice vote walked wall wallet walls warmer wash washing wasps waste
watch water wednesday wee weekly weird wet white whole wide wifi wind window windows winds winning wise wish wished
wishes witty wizard woman women wonderful wood woods work worked working works world worried worse worst worth worthy
writer writing written yard yawn years yellow yesterday young younger yours youth yummy zoo
"""
EVERYDAY = frozenset(_EVERYDAY.split()) - CHANGING
"""Words of English that say nothing of orders, whatever stands with them."""

_COMMON = """
the a an of and or in on at by for from with to i you we my our your is am are was were be been has have had do did
so too very much here there as than out up down over into about who what where why how let us get got
der die den dem ein eine einen einem einer und ich du wir ihr mir mich uns euch euer mein meine ist bin war waren sind
hat habe haben hier da in im am an auf aus von zu zum zur bei mit für über wie so sehr viel vielen viele liebe lieber
grüße gruß guten gute danke bitte entschuldige entschuldigung heute morgen abend tag wetter spaß allen alle
le la les un une des du de et je tu nous vous mon ma mes est suis était sont ai a avons avez ici dans en à au aux sur
pour par avec très merci bien bonjour bonsoir bonne bon soir soirée journée salut désolé désolée pardon temps
el los las una unos y yo tú nosotros mi mis es soy era son he ha tengo aquí de del con por para muy mucho muchas
gracias hola buenas buenos saludos saludo desde día tarde noche perdón lo siento
il lo gli uno di e io noi mio mia è sono ho abbiamo qui nel nella da dal con per molto grazie ciao buona buon saluti
scusa scusate giorno sera
de het een en ik jij wij mijn is ben was zijn heb heeft hier in op van voor met uit naar zeer veel bedankt dank hallo
groetjes groeten goede avond dag
o a os as um uma e eu nós meu minha é sou são tenho aqui no na do da com por para muito obrigado obrigada olá bom boa
saudações abraço desculpe dia noite
i w z ze na do od ja my mój moja jest są mam tu dla bardzo dziękuję dzięki cześć dzień dobry pozdrawiam pozdrowienia
przepraszam
och jag du vi min mitt mina är var har här i på av från för med mycket tack hej hälsningar god kväll
og jeg er har her fra til meget tak takk hej hei hilsen venlig vennlig
ja minä olen on täällä kiitos hei moi terveisiä terveiset
и я ты мы мой моя из в на с у привет спасибо здравствуйте добрый день вечер пожалуйста извините
a já jsem je v z díky ahoj pozdrav děkuji
wünsche wünschen wetter kinder familie urlaub arbeit arbeiten müde krank spät späte antwort runde spiel spiele spielen
schön schöne schönes schönen wochenende leider gerade grad endlich wirklich toll tolle super lustig regen sonne mutter
vater frau mann sohn tochter freund freunde freue freut gefreut hoffe hoffentlich gehts geht gut glück mal schon
küste küche stadt haus bahn handy telefon geschrieben schreibe schreiben mail bericht woche
lieben herzliche herzlichen freundliche freundlichen beste besten bis bald servus moin tschüss ciao grüezi
chère cher chers amitiés bises bisous amicalement cordialement partie jeu amusant ami amis vraiment génial belle beau
weekend travail fatigué fatiguée malade retard semaine famille enfants maison train téléphone pluie soleil vacances
coucou bravo hâte plaisir jouer écrit voilà content contente heureux tous toutes monde
querido querida queridos amigos amigo abrazo abrazos besos partida juego divertido familia trabajo cansado cansada
enfermo semana casa niños tren móvil lluvia sol vacaciones gran genial divertida feliz suerte todos todas
ánimo disculpa disculpen bien mal fin gusto encantado
cara caro cari abbraccio abbracci baci partita gioco bella bello bel diverto divertente tantissimo tanto famiglia lavoro
stanco stanca malato settimana casa bambini treno telefono pioggia sole vacanze davvero bravo bravi complimenti tutti
tutte auguri fortuna felice che come va bene salve amici amico
beste lieve groet gezellig leuk leuke spel spelen familie werk moe ziek week huis kinderen trein telefoon regen zon
vakantie fijn fijne weekend succes iedereen allemaal lekker mooi mooie vriend vrienden laat late antwoord
caro cara abraços beijos jogo divertido família trabalho cansado doente semana casa crianças comboio chuva sol férias
sorte feliz todos todas amigos amigo desculpa ótimo ótima
drodzy kochani gra zabawa rodzina praca tydzień dom dzieci pociąg deszcz słońce wakacje miłego weekendu świetna świetny
powodzenia wszystkim serdecznie
kära kul spel familj arbete jobb trött sjuk vecka hus barn tåg regn sol semester trevlig helg lycka alla vänner
kære kjære sjov spil spill familie arbejde arbeid træt trött syk uge uke hus børn tog regn sol ferie held alle
hyvää mukavaa viikonloppua kaikille peli perhe työ
друзья игра семья работа дома дети поезд дождь солнце отпуск удачи всем хорошего выходных москвы большое отлично рад рада
谢谢 感谢 你好 大家好 辛苦了 祝好 加油 こんにちは ありがとう ありがとうございます お疲れ様です 안녕하세요 감사합니다
"""
COMMON = frozenset(_COMMON.split()) - CHANGING
"""What the languages that people write most are full of, and greetings in them."""
