"""The checks of a mail in their order: the first that claims it decides what becomes of it."""
