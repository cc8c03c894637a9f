"""What every ruleset owes, whichever there are: laws that a fifth game is held to without an edit here."""

from pbem.hall.store.catalogue import rulesets_known
from pbem.testing import Contract
from tests.harbour import RULESET


class TestContract(Contract):
    """All rulesets that there are, and the toy of these tests."""

    rulesets = (*rulesets_known().values(), RULESET)
