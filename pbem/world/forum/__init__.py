"""Doors to forums on which games are read: one small protocol, and a file for each kind of forum."""
