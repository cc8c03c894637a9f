"""Replies as people's mail programs send them, generated so that it is known which lines are new."""
