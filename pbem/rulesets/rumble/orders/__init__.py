"""Order lines of a round: read, written, summed up and checked; plays nothing."""
