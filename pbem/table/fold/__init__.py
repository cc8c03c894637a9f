"""The journal, and how its entries are applied one after another to a table; writes no letter."""
