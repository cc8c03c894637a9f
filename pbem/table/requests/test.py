"""`test`: see what a moderator's mail would do, and do nothing of it."""

from pbem.table.requests.base import BaseRequest


class Test(BaseRequest, frozen=True, kw_only=True, tag="test"):
    """Carry out nothing of this mail, and show what it would change."""

    is_for_moderator = True

    __test__ = False  # this is no class of tests
