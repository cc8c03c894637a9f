"""The terms of `pbem.ground.terms`, where packages of games for contract 1 look for them."""

from pbem.ground.terms import *  # noqa: F403
