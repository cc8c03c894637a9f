"""Games reckoned a second time, from the words of their rules alone; nothing here knows how the rulesets do it."""
