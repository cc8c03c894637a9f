"""Letters on their way out: rendered, put on file, merged, sent; those that come back."""
