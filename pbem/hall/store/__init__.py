"""What an arena holds, as the hall works with it: games, people, rulesets, lists on file."""
