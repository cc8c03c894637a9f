"""Requests: what people ask for besides orders and rulings, one class each; adding one is one file, named here."""

from typing import TypeAlias, get_args

from pbem.table.requests.ahead import Ahead
from pbem.table.requests.back import Back
from pbem.table.requests.cancel import Cancel
from pbem.table.requests.forum_account import ForumAccount
from pbem.table.requests.keep_back import KeepBack
from pbem.table.requests.mail_form import MailForm
from pbem.table.requests.manuals import Archive, Help, History, Rules
from pbem.table.requests.public_name import PublicName
from pbem.table.requests.readiness import Ready, Wait, Yes
from pbem.table.requests.resend import Resend
from pbem.table.requests.send_it import SendIt
from pbem.table.requests.standing import Standing
from pbem.table.requests.status import Preview, Status
from pbem.table.requests.test import Test
from pbem.table.requests.what_if import WhatIf
from pbem.table.requests.zone import Zone

Request: TypeAlias = (
    Status
    | Preview
    | KeepBack
    | Cancel
    | Back
    | Ready
    | Yes
    | Wait
    | SendIt
    | Help
    | Rules
    | History
    | Resend
    | Archive
    | Zone
    | MailForm
    | PublicName
    | ForumAccount
    | Standing
    | Ahead
    | WhatIf
    | Test
)

KINDS: tuple[type[Request], ...] = get_args(Request)
"""All requests; a moderator can make those that say so (`is_for_moderator`), and `test` is theirs alone."""
