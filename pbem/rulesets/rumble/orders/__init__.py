"""Order lines of a round: read, written, summed up and checked; nothing is played here."""
