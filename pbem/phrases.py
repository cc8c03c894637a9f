"""The phrases of `pbem.language.phrases`, where packages of games for contract 1 look for them."""

from pbem.language.phrases import *  # noqa: F403
