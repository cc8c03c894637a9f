"""What a game is while it is played: its charter, table, seats, threads and calendar; decides nothing."""
