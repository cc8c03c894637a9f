"""What a letter looks like: the same templates and the same facts, in several dresses."""
