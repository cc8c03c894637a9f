"""Chats: that a report is out, or how much time is left, said where people talk; orders stay mail."""
