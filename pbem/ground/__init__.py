"""What everything stands on: terms, chance, identities, records, verdicts, drawings, news; imports nothing of ours."""
