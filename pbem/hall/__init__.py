"""Where the wings meet, floor upon floor: what is stored, mail, the sweep, commands, and what keeps it running."""
