"""Tests of the rulesets: laws over arbitrary values, and what their cases need to be laid out."""
