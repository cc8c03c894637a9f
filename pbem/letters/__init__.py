"""Words, pure: reading what people wrote, addressing it, writing what we say; knows no game and no disk."""
