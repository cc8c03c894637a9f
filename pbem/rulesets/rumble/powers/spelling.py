"""American spelling put into ours, wherever a person's words are read; changes no text that is kept."""

import re

_OURS = (("defens(?=e|ive)", "defenc"), ("civiliz(?=ation)", "civilis"))
"""What they write, and what we do."""


def spelled(text: str) -> str:
    """Spell the words of ours that Americans spell otherwise as we do, capitals kept."""
    for theirs, ours in _OURS:
        text = re.sub(theirs, lambda match, ours=ours: _like(match[0], ours), text, flags=re.IGNORECASE)  # type: ignore[misc]
    return text


def _like(theirs: str, ours: str) -> str:
    return "".join(new.upper() if old.isupper() else new for old, new in zip(theirs, ours, strict=True))
