"""Reading mail for what it is: of a list, of a forum, of a thread, of a machine that is barred."""
