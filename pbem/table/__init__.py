"""Moderating, pure: the journal, the calendar, rulings, closing and replay; knows no mail and no disk."""
