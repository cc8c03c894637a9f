"""What the large mail providers want from a program: hosts, ports, the way to log in, and their limits; data alone."""

import msgspec

from pbem.world.settings import Tls


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """
    A mail provider, as its own help pages describe it.

    Shape: `domains` are those of its addresses; `needs` says what to do there before the first login; `plus`
    whether mail to name+anything arrives; with `token_url` it takes no passwords from programs.
    Units: `daily` is the most letters in 24 hours, with a margin below the provider's own limit; 0 for unknown.
    """

    name: str
    domains: tuple[str, ...] = ()
    imap: str
    imap_port: int = 993
    smtp: str
    smtp_port: int = 465
    smtp_tls: Tls = "tls"
    needs: str
    plus: bool = True
    daily: int = 0
    token_url: str = ""
    scope: str = ""


_APP = "Make an app password there (two-step sign-in must be on) and give that here, not your own password."
_MICROSOFT = (
    "Microsoft takes no passwords from programs. Register an application for the account, let it use IMAP and SMTP, "
    "sign in with it once, and give its client id and the refresh token here."
)
_MICROSOFT_SCOPE = (
    "https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send offline_access"
)

PROVIDERS = (
    Provider(
        name="gmail",
        domains=("gmail.com", "googlemail.com"),
        imap="imap.gmail.com",
        smtp="smtp.gmail.com",
        needs=_APP,
        daily=400,
    ),
    Provider(
        name="fastmail",
        domains=("fastmail.com", "fastmail.fm"),
        imap="imap.fastmail.com",
        smtp="smtp.fastmail.com",
        needs="Make an app password there, for IMAP and SMTP, and give that here.",
        daily=2000,
    ),
    Provider(
        name="icloud",
        domains=("icloud.com", "me.com", "mac.com"),
        imap="imap.mail.me.com",
        smtp="smtp.mail.me.com",
        smtp_port=587,
        smtp_tls="starttls",
        needs="Make an app-specific password in your Apple account and give that here.",
        daily=800,
    ),
    Provider(
        name="yahoo",
        domains=("yahoo.com", "yahoo.co.uk", "yahoo.de", "yahoo.fr"),
        imap="imap.mail.yahoo.com",
        smtp="smtp.mail.yahoo.com",
        needs=_APP,
        plus=False,
        daily=400,
    ),
    Provider(
        name="outlook",
        domains=("outlook.com", "hotmail.com", "live.com", "outlook.de"),
        imap="outlook.office365.com",
        smtp="smtp-mail.outlook.com",
        smtp_port=587,
        smtp_tls="starttls",
        needs=_MICROSOFT,
        daily=250,
        token_url="https://login.microsoftonline.com/consumers/oauth2/v2.0/token",  # noqa: S106  an address
        scope=_MICROSOFT_SCOPE,
    ),
    Provider(
        name="microsoft365",
        imap="outlook.office365.com",
        smtp="smtp.office365.com",
        smtp_port=587,
        smtp_tls="starttls",
        needs=f"{_MICROSOFT} The mailbox must have authenticated SMTP switched on.",
        daily=5000,
        token_url="https://login.microsoftonline.com/organizations/oauth2/v2.0/token",  # noqa: S106  an address
        scope=_MICROSOFT_SCOPE,
    ),
    Provider(
        name="gmx",
        domains=("gmx.net", "gmx.de", "gmx.com", "gmx.at", "gmx.ch"),
        imap="imap.gmx.net",
        smtp="mail.gmx.net",
        needs="Allow IMAP in the account's settings; where two-factor sign-in is on, make an app password.",
        plus=False,
        daily=400,
    ),
    Provider(
        name="mailbox.org",
        domains=("mailbox.org",),
        imap="imap.mailbox.org",
        smtp="smtp.mailbox.org",
        needs="The account's password, or an app password where two-factor sign-in is on.",
    ),
    Provider(
        name="posteo",
        domains=("posteo.de", "posteo.net", "posteo.org"),
        imap="posteo.de",
        smtp="posteo.de",
        needs="The account's password; switch off its extra mail storage protection by key, if you use that.",
    ),
)


def provider_of(address: str) -> Provider | None:
    """Return the provider that an address is known to belong to."""
    domain = address.rpartition("@")[2].lower()
    return next((provider for provider in PROVIDERS if domain in provider.domains), None)


def by_name(name: str) -> Provider | None:
    """Return a provider by its name."""
    return next((provider for provider in PROVIDERS if provider.name == name), None)
