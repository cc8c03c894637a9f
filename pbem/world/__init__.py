"""The only doors outside: mailbox, outbox, disk, clock, settings, post office; knows no game."""
