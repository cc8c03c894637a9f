"""The tests: laws, rooms, cases and specimens."""
