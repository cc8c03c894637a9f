"""What seats are shown before a phase closes, and the numbers that letters name; decides nothing."""
