"""Games on the shelf: founded, written into their ledgers, looked at, replayed."""
