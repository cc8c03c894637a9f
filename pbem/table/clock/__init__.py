"""What is due when: deadlines, second thoughts, late sets, and what a view of a game shows; keeps nothing."""
