"""Reading of real-shape mail and the wording of letters."""
