"""The play-by-email moderator: mail in, orders adjudicated, reports out; see pbem/README.md for the floors."""
