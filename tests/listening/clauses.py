"""Words that people put around orders, for mails that are drawn: prose, talk, and clauses that change what stands beside."""

PROSE = (
    "Hello Gwen,", "Hi all!", "Dear moderator,", "Here we go again.", "Sorry for the delay, what a week!",
    "Great report, thank you so much.", "It is snowing here.", "Typed on a phone, forgive me.", "Cheers", "Best wishes\nAda",
    "Thanks!\nAda", "Have a good evening.", "Viele Grüße", "Bonne soirée !", "Un saludo", "🎉", "Ha!", "This will be fun.",
    "My kettle is boiling over, must run.", "Love to the family.", "Sent from my iPhone", "(written on a train)",
)  # fmt: skip
"""What is said beside orders, and means nothing for them."""

CLAUSES = (
    # conditions
    "but only if Bob attacks me", "unless Cy is out", "if Bob does the same", "only if nobody else goes for him",
    "provided Cy stays quiet", "as long as Bob is in", "in case Bob hits me first", "when Bob is weak, otherwise nothing",
    "except if the Doctor joins in", "assuming that Cy helps", "only when it is safe", "should Bob attack, double it",
    "depending on what Cy does", "if not, then Cy instead", "until Bob gives up", "whenever Bob moves", "as soon as Cy is gone",
    "so long as I am ahead", "if I am still alive", "only against Bob if he is alone",
    # negations
    "no, not that one", "do not do this", "don't", "never mind the above", "not this round", "ignore that", "forget it",
    "I do not want that after all", "leave that out", "not really", "without the first one", "none of this yet", "strike that",
    "cancel that one", "skip the last one", "no attack after all", "nothing of the kind", "please disregard the line above",
    "take that back", "rather not",
    # corrections
    "make that a bit more", "or maybe 25", "no, 30", "I mean Cy", "Cy instead", "actually the other way round", "swap them",
    "instead keep it", "better half of it", "sorry, wrong name: Cy", "double that", "one less", "the rest on Cy",
    "same for Cy", "also for Cy", "change it to Cy", "correction: Cy", "rather on the Doctor", "or was it Cy?", "draft only",
)  # fmt: skip
"""Sixty clauses: whoever adds one has not ordered what stands beside it as it stands there."""

TALK = (
    "When is the deadline?", "What a round that was!", "I never saw that coming.", "Bob is a villain.", "Did Cy really do that?",
    "My turn will come.", "I think 20 was too much last time.", "How do I attack two people?", "Is it allowed to defend 100?",
    "My brother says hello.", "We were 12 at dinner.", "I was thinking of going for Bob.", "Maybe I should throw more.",
    "Somebody ought to stop the Doctor.", "Bob attacked me with 30 for nothing.", "Nobody defends any more these days.",
    "The six always goes to others.", "I passed my exam!", "Hold the door!", "I could not move all week, my back.",
    "My bid for a house was refused.", "We have no power since 9 o'clock.", "The children use my computer.", "I plan to write tonight.",
    "Let us drop the subject.", "I stand by what I said.", "He threw it at the wall!", "At 50 one gets wiser.",
    "Pass my regards to Cy.", "On Friday at 8 we play football.", "I attack the buffet with 2 forks.", "Yes, that was funny.",
    "End of story.", "No idea what to do.", "Ready for the weekend!", "The status of my car is hopeless.", "Wait and see, I say.",
    "Help me understand rule 5.", "Same here.", "I rest my case.",
)  # fmt: skip
"""What people write who order nothing, though their words are those of orders."""
