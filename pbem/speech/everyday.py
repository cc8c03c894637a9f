"""Words of everyday talk, in the languages that people write most: none changes an order or is one; knows no game."""

from pbem.speech.chatter import CHANGING

_EVERYDAY = """
absolute ache aches aching actual adorable adored adventure afraid afterwards age ages airplane airports alarm alas
album aliens alive allergy along alright although amazed amused ancestor angel angels angry animal animals ankle
anniversaries anniversary annoyed answer antibiotics apartment apologies apologise apologize app apple apples
appointment appreciate appreciated april apron area arena arenas armchair arrested arrive arrived arrives arriving
arrogant art article ash ashamed asleep ass assistant athlete attic audience august aunt aunts autocorrect autumnal
awake awards awkward babies babysitter backpack bacon bad badger badly bag bags bakery balcony bald ball ballet banana
band bandage bandages bang bank bar barbecue barefoot bark barking barmaid barman barn bartender basement basket
basketball bat bath bathroom battery bay beacon beans beanstalk beard beast beasts bedroom bedrooms bedtime bee beef
beers bees began begging begin begins believe bell bells belly bench berries beside besides best bicycle birthdays
biscuit biscuits bistro bitter blackbird blackout blame blanket blast bless blessed blessing blind blink blizzard
blood bloom blossom blouse blue blues blush boat boats body boil boiler boiling bones bonfire booking boot boots
border bored boring born bothered bottle bottled bottles bought bouncer bowl bowling boxes boyfriend bracelet brain
brains branch brave breakfast breath breathe breezy brew brick bricks bride bridge briefcase bright
brings british broadband broccoli broke broken bronze broom brought bruise bruised brush bubble bucket buffet bug bugs
building built bulldog bunny burger burgers burglar burnt bushes busier business butcher butter butterflies butterfly
button buzzing cab cabbage cabin cable cactus cafe cage cakes calendar calf camera camp camping candle candlelight
candles candy canoe canteen cape caped captain caravan cards carnival carols carpenter carpet carrots cart cartoon
castle catering cathedral cats caught cave ceiling celebrate celebrated celebrating celebration celebrations cellar
cello cereal ceremony chairs champagne champion champions chaos chapel chapter charger charity chat cheap cheers
cheese chef cherry chess chest chewing chicken chicks chief chilly chimney chips chocolate choir chopped chubby church
cider cigar cinema cinnamon circuit circuits circus citizen citizens clap clapped clapping class classes claws clay
clean cleaner cleaning clever cliff climbed clinic clock close closer cloudy clown clowns club clumsy coach coal coast
coat cobwebs cockroach cocktail cocktails coconut coffin collar colleagues college come comes comet comfort comfy
comic comics coming commute commuter commuting company compost computer concerts condolences conference confused
connection conservatory cooker cookies cool corn corner corridor cosmic costume costumes cosy cottage cotton couch
coughing council country couple courage courageous course court cousin cousins cow coward cowards cows cozy crab crabs
cracker crane crayons crazy cream creature creatures creepy crew cricket cries crime criminals crisp crisps croissant
crooked crossing crowd crowded crowds crown crumbs crusader crutches crystal cucumber culture cupboard curious
curry curse cursed curtain curtains cushion custard customer customers cute cycling daft dairy damp dance dancing
dandelions darkness darling darts dates dawn daydreaming daylight dead deadline deadly deaf death december deck
decorate decorating deeds deer degrees delayed delicious delight delighted delightful delivery den dental dentist
departure depressed desert deserted desk dessert destroyer detective determined devil diamonds diary died diet
difficult dine dinners dinosaur dinosaurs diploma dirty disappointed disaster disasters disco disguise dishes
dishwasher district diving dizzy dock doctor's documentary dogs doll dolphin done donkey doomed door doors dough
dragon dragons drama dramatic drawer dreadful dreadfully dream dreaming dreams dress dressed drink drinking drinks
drive driving drizzle drizzling drops drum drummer drums drunk dry ducks dull dumplings dungeon during dusk dust dusty
duty dwarf dying eagle ear earache earlier early ears earth earthquake east eat eating eats eclipse editor eggs elbow
electricity elegant elephant elevator elf embarrassed emergency emperor empire empty engine engineer enormous enough
entertaining entertainment envelope envious errand errands essay eternal eternally europe evacuated evenings event
events eventually everlasting everywhere evilly exam exams exciting excuse exhausted exhausting exhibition exotic
expects expensive experience explain explosion eye eyebrow eyelids eyes fabric fabulous face factory facts failed
fainted fair fairy faith fallen familiar famished famous fancy fans fantasies fantasy farewell farm farmer farmers
fashion fate favorite favourite fear feared fearless feast feather feathers february fed feed feeding feet fellow felt
fence ferry festival festive fever few fiction fiddle field fierce film films filthy finally finals find finding fines
finger finish finished firemen firework fireworks fish fished fishing fitness flag flames flat flavour flea fleas
flies flight flights flood flooded flooding floods floor flour flowers flowing flute flying foggy folding folks follow
fool foolish foolishness foot football forecast forehead forest forever forgot forgotten fork forks fortunate fossil
foul fountain fox foxes fractured fragile france freak freckles freezer freezing fresh friday fridge frightened
frightening frog frogs frost frosty frozen fruit fruits frying fuel funeral fur furious furniture fury fussy future
galaxy gale gallery gallop gang garage garbage garlic gas gastric gate gave geese generous genius gentleman german
germany ghost giant giants gift gifts giggle giggled giggles giggling ginger giraffe girl girlfriend girls gladly
glamorous glass glasses glee gloom glorious gloriously gloves glow glowing glows glued goal goals god gone gorgeous
gossip grade grand grandad grandchild grandchildren granddad grandfather grandmother grandpa grandparents grandson
grass grateful gravy greedy greet greetings grey grid grin grins groan ground group grow growing grown grr gruesome
grumpy guest guests guitar gull gulls gutter gym habit hail hair haircut hairdresser hall hallway ham
hamburger hammer hammock hamster handful handkerchief handsome handy hanging hangover happened happens happily harbour
harsh harvest hat hate hated headache healthy heard heating heaven heavy heel heels height helmet henchmen herb herbs
heroic heroically hiccups hideous highlight hiking hilarious hill hills hips hire history hobbies hobby hockey
homework honest honestly honeymoon hooray hop hopped horrible horror horse hospital host hosted hosting hosts hotel
hotter hour hours houses howl howling huge hum human humble humid humming hums hungry hurricane hurt hurts husband
idea ideas illness impressed impressive inch incredible indeed infernal injured injury ink inquisition insane insects
inside insomnia inspired interesting internet internship invincible invitation invited ireland iron ironing irritated
island italy itchy jacket jam jams january jealous jeans jelly jet jetlag jetlagged jog jogging joined jokes joy juice
jukebox july jumper june jungle jury just justice keeper kettle keyboard keys kid kidding kids killing kilt kimono
king kingdom kiss kisses kitchen kitten knee knew knitting knocked known lab ladder lady lager lair lake lamp land
landed landlady landlord landlords language lantern laptop larder lark laughing laughs laundrette laundry lava law
lawn lawyer leaking leap leaps leaves lecture led legendary legs lesson lessons library light lightning lights lion
lips listened listening literally literature live lived lives living loaf lobster local locked lodger loft london
lonely long longing lorry loser lost lot loud lounge lousy love loved loves loving lucky luggage lunchtime lungs lurks
machine mad made magic magician magnet magnificent maiden mailbox main majesty mama mammoth manager mankind mansion
marathon march market marriage married marvel mask masked masterpiece matches mate mates maths mayor meadow meal
mechanic medal medicine meetings melted melting memory men menace merciless mercy mermaid merrily messages messy met
metres mice middle midnight mighty mile miles milk milkman mince minds mint minute minutes mirror mischief miserable
missed missing mist mole moment moments monday money monkey monster monsters month months mood moody moonlight moped
more mortal mortals mosquito mosquitoes moss most moth mothers motor motorbike motorway mountain mouth mud muddy mug
mugs mummy murmur muscles museum mushrooms musical mutter mysterious mystery name names nan nanny napkin nappies nappy
nature navy neat neck need needs nefarious neighbour neighbourhood neighbours nemesis neon nephew nephews nerves
nervously nest network new newborn newspaper nicely nightmare nightmares nights noble nod nods noise noisy noodles
noon north nose nostalgia nostalgic novel november nowadays nowhere nuisance nurse nursery nut oak oath occasion ocean
october odd officially old olive onion onions online opera opinion orange orchestra outage outside oven overlord
overslept owl ox packed packing paddle pain painful paint painting palace pancake pancakes panic panther pants papa
paper papers paradise parcel park parked parrot passenger passengers passport past pasta pasty path patience patient
pavement pea peaceful peanut peanuts pear pen pencil penguin pension pepper perfectly perfume person pet petrol
phantom pharmacy philosopher phones photo photos piano pickled pictures pie pier pig pigeon pigeons pile pill pillow
pills pilot pine pink pint pints pirate pirates pit pity planet planning plants plaster plastic plate playground
pleasant plot plum plumber plumbing pneumonia pocket poem poet poetry police policeman polite politics pond pony pool
poor pop popcorn pork porridge port portrait posh post postman potato potatoes pottery pouring practice praise prank
prayed prayer prayers pregnant preparing present presents president pretty price prince princess printer prison prize
problem problems professor programs prophecy protest proud provider pub public pudding pump pumpkin pumpkins pupils
puppies puppy purple purse puzzle puzzled pyjamas quake queen quest question questions quiet quilt quiz rabbit rabbits
raccoon rack radiator radio raft rag railway rainbow raincoat rained rains rainy ran raspberry rat rattle raven
reached read real reality recently recipe recover recovered recovering red referee refreshing regulars relatives relax
relaxing relief relieved remarkable remember remembered renovating renovation rent repair repaired rescue restaurant
reunion rhyme rib ribs rice rich riddle ridiculous rise rival rivals river road roads roar roars roast robe robot
robots rock rocket rocks rollercoaster romantic roof rooftop rooftops room rooms root rope roses rotten rouge route
royal rug rugby ruin rum rumour rumours running runny rural rush rushed rushing ruthless sack sacred safe safely saga
said sail sailing sailor sails saint salad salmon salt sand sandals sandwich sandwiches sat saturday sauce saucer
sauna sausage savage savages saw saxophone say says scared scarf scent schemes scheming science scientist scooter
scotland scream screen sculpture sea seagull seagulls seasick seaside seat seed seeds seems seen semester september
serious seriously servant served server sewing shaking shame shampoo shark sharks shed sheep sheet shelf shell sheriff
shines shining ship shirt shiver shivering shock shocked shoes shop shopping shore short shoulder shovel shower shrimp
sidewalk sideways sigh sighs sight signal silent silk silly silver sing singing sinister sip sir siren sirens sisters
site skating sketch ski skies skiing skin skull sky skyline slave sleeping sleepy sleeve slept slice slipper slippers
slippery smart smartphone smell smelled smelly smiled smiling smoke smoked snake sneaky sneeze sneezing snoring
snowball snowed snowman soaked soap soccer social socks sofa soft soggy soil soldier solid some somehow somewhat
somewhere son songs sons soon sorcerer sore sorry soul souls sound sounds soup sour south space spaceship spaghetti
spain sparkling spectacular spectator spectators speech spell spice spider spiders spirit spirits splash splendidly
spooky spoon sport sports spotlight spotted spouse spray sprint spy squeak squid squirrel stable stadium stag
staircase stairs stamp stamps stare stares starlight starting startled starving stations statue stay stayed staying
steak steam steel steely steep steps stew sticky stinks stir stomach stones stool stools stories storms stormy story
stout stove straightens strange straw strawberries strawberry stream street streets stress stressed stressful stride
strides stripes stroll stuck student students studied study studying stuffed stunning stupid submarine subway suddenly
suffering sugar suit suitcase sunburn sunday sunglasses sunk sunrise sunset sunshine superhero superheroes supper
surfing surgeon surgery surprise surprised surprising suspicious swamp swan sweat sweater sweating sweep sweet
sweetheart swim swimming swollen sword swords sympathy syrup system table tailor tale tales talked talking tall tally
tan tapas tape taste tasty tattoo taught tavern tax taxes taxi tea teach teacher teachers teapot tears teenage
teenager teenagers teeth telephone television temple tennis tent term terrace terrible terribly terrific terrified
terror theatre theirs themselves therapy thick thief thieves thin thirsty thorn though thread thrill thriller
thrilling throat throne thug thugs thumb thumbs thunder thunderous thunders thunderstorm thursday ticket tickets
ticking tide tiger tights time times tin tiny tipsy toad toast toaster today toddler toe toes tofu toilet tomato
tomatoes tomb tongue tonight took tool tools tooth toothache topic torch tornado tortoise tour tourist towel tower
towers town toy toys track tradition traffic training trains traitor tram tramp translate translation trash travelled
treat tree trees trek tremble trembles tremendous tribe tricky trips triumph trophy tropical trouble trousers truck
true trumpet truth tub tuesday tulips tuna tunnel turkey tutor tv twilight twin twins typed typing typos tyrant tyre
tyres ugly ukulele umbrella unbeaten unbelievable uncle understand understood uni unicorn uniform universe university
unlucky unpacked unpleasant unstoppable unwell upcoming upstairs useful usually vacation vacuum valentine valley
vampire van vanilla vases vegan vegetables vengeance vet vets victory video videos view views vile villa villagers
villains vinegar vintage violin virus visited visiting visitors voice volcano volleyball volunteer vote vow wagon
waist waiter waitress walked walks wall wallet walls wandering warlock warmer warrior warriors wash washed washer
washing wasp wasps waste watch watched water waves wax wealthy wearing weasel wednesday wee weeds weekly weep weird
went wet whale wheat while whiskey whisky whispers whistle whistling white whole wicked wide wifi wig will wind window
windows winds wings wink winner winners winning wise wish wished wishes witty wizard wolf wolves woman women wonderful
wood woods wool work worked working works workshop world worm worms worried worse worst worth worthy wrapped wrath
wrist writer writing written yacht yard yawn years yeast yell yellow yells yesterday yoga yoghurt young younger yours
youth yummy zebra zip zombie zombies zoo
"""
EVERYDAY = frozenset(_EVERYDAY.casefold().split()) - CHANGING
"""Words of English that say nothing of orders, whatever stands with them."""

_ENGLISH = """
the a an of and or in on at by for from with to i you we my our your is am are was were be been has have had do did
so too very much here there as than out up down over into about who what where why how let us get got he she they it
his her their this that these me him them more some just well
"""
ENGLISH = frozenset(_ENGLISH.split()) - CHANGING
"""What English is full of."""

_COMMON = """
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
zusammen tagen seit kleine kleinen zähne schlaf grippe flach liege toller bericht tränen gelacht deine deinen mühe chef komisch
hunger gleich kater meinen meiner kaffee hamburg bleibt bleib gesund schlafen essen trinken hund katze garten auto büro schule
fieber erkältung erkältet schnupfen arzt zahnarzt geburtstag weihnachten ostern fest feiern feier party kneipe bier wein küche
kochen backen brot pizza nudeln kuchen montag dienstag mittwoch donnerstag freitag samstag sonntag nacht mittag jahr jahre
monat stunde stunden minute minuten besuch gäste eltern oma opa bruder schwester onkel tante baby leute kollegen berlin münchen
österreich schweiz deutschland fußball verein chor musik buch film fernsehen internet rechner computer tastatur akku strom
netz kalt warm heiß schnee sturm nebel draußen drinnen oben unten weit nah neu neue neuen alt alte groß klein kurz lang schnell
langsam ganz sehr ziemlich etwas bisschen genug wenig mehr gar wohl eben ja nee jawohl leider sicher klar natürlich
ordinateur planté faim soif meilleur meilleure gagne vacances chaud froid neige orage pluie vent soleil ciel mer plage montagne
ville campagne jardin chien chat voiture vélo avion métro bus gare boulot bureau école patron collègues réunion hôpital médecin
dentiste fièvre grippe rhume dos tête dent bébé mère père frère soeur sœur fils fille femme mari oncle tante parents
repas dîner déjeuner café vin bière pain fromage pizza gâteau anniversaire noël fête lundi mardi mercredi jeudi vendredi samedi
dimanche matin nuit heure heures minutes année mois petit petite grand grande gros nouveau nouvelle vieux long court vite
lentement trop assez peu plus beaucoup toujours souvent rapport compte rendu lu adoré rire ri chapeau formidable
magnifique superbe excellent parfait qui que quel quelle ce cette ces se sa son ses leur leurs notre votre nos vos été fait faire
calor frío nieve lluvia viento playa montaña ciudad pueblo jardín perro gato coche bicicleta avión autobús estación oficina
escuela jefe compañeros reunión hospital médico dentista fiebre gripe resfriado espalda cabeza brazo diente bebé madre padre
hermano hermana hijo hija mujer marido abuela abuelo tío tía padres comida cena desayuno café vino cerveza pan queso pizza
paella tarta cumpleaños navidad fiesta lunes martes miércoles jueves viernes sábado domingo hoy ayer hora horas minutos año mes
pequeño pequeña grande nuevo nueva viejo largo corto rápido demasiado bastante poco más siempre informe leído reír risa hace
insoportable hay qué bueno buena retraso perdona tenido roto jugando fútbol sevilla al fue van estoy estaba está
ritardo infernale piove giorni moglie marito dice troppo resoconto bellissimo tornato mare appena connessione schifo sempre
caldo freddo neve vento montagna città giardino cane gatto macchina bici aereo stazione ufficio scuola capo colleghi riunione
ospedale medico febbre influenza raffreddore schiena testa dente bambino bambina madre padre mamma papà fratello sorella figlio
figlia nonna nonno zio zia genitori cena pranzo colazione caffè vino birra pane formaggio torta compleanno natale festa lunedì
martedì mercoledì giovedì venerdì sabato domenica oggi ieri notte mattina ora ore minuti anno mese piccolo piccola grande nuovo
nuova vecchio lungo corto veloce molto poco più rapporto letto ridere riso fa ho hai abbiamo sto stavo torino roma
regent pijpenstelen hebben dus chaos verslag weer wel nieuwe fiets gekocht kat hond eten drinken moet gaan wil tuin auto bus
kantoor school baas collega ziekenhuis dokter tandarts koorts griep verkouden rug hoofd tand baby moeder vader broer zus zoon
dochter vrouw man oma opa oom tante ouders koffie wijn bier brood kaas taart verjaardag kerst feest maandag dinsdag woensdag
donderdag vrijdag zaterdag zondag vandaag gisteren nacht ochtend middag uur uren minuten jaar maand klein groot nieuw oud lang
kort snel langzaam veel weinig meer altijd warm koud sneeuw wind strand berg stad heel erg hoi ha doei gelachen genoten
frio que está hoje parabéns pelo pela relatório calor neve vento praia montanha cidade jardim cão gato carro avião escritório
escola chefe hospital médico febre gripe mãe pai irmão irmã filho filha mulher marido avó avô jantar almoço café vinho cerveja
pão queijo bolo aniversário natal festa sexta sábado domingo ontem hora horas ano mês pequeno grande novo velho
za spóźnienie dużo pracy u nas pada śnieg zimno ciepło mama tata brat siostra syn córka żona mąż babcia dziadek kawa piwo wino
chleb urodziny święta poniedziałek piątek sobota niedziela dziś wczoraj godzina rok mały duży nowy stary szybko dużo mało raport
allihopa förlåt att sen datorn solen skiner äntligen mamma pappa bror syster son dotter fru hund katt bil buss kontor skola läkare
feber kaffe öl vin bröd tårta jul fest måndag fredag lördag söndag idag igår timme år liten stor ny gammal rolig roligt bra
beklager forsinkelsen hele familien sikke vejr mor far bror søster søn datter kone bil kontor skole læge lege feber kaffe øl vin
brød kage jul fest mandag fredag lørdag søndag dag time år lille liten stor ny gammel bra sjovt
saunan jälkeen hyvä kirjoittaa äiti isä veli sisko kissa koira auto sauna kahvi olut joulu tänään eilen lunta sataa
všichni promiň zpoždění byl jsem horách dnes včera máma táta pivo káva práce rodina počasí prší sněží zdravím
sziasztok szia nagyon jó volt legutóbbi beszámoló köszönöm köszi üdv ma tegnap család munka eső hó sör
извини извините за опоздание болел всю неделю сегодня вчера мама папа брат сестра сын дочь жена муж кошка собака машина чай
кофе пиво погода снег очень было был была были отчёт
herkese selam burada hava çok sıcak merhaba teşekkürler iyi günler bugün dün aile yağmur kar
γεια σας παιδιά καλό σαββατοκύριακο όλους καλημέρα καλησπέρα ευχαριστώ σήμερα χθες ζέστη κρύο βροχή σε
"""
COMMON = ENGLISH | frozenset(_COMMON.casefold().split()) - CHANGING
"""What the languages that people write most are full of, and greetings in them."""
