"""A private Dovecot: IMAP and LMTP on loopback for any user name, all with one password; reads nothing of the system's."""

import base64
import grp
import os
import pwd
import shutil
import smtplib
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

import trustme
from imapclient import IMAPClient

from tests.servers.process import Process, Server, found, free_ports, needed

PASSWORD = 's3cret \\of" all'
PACKAGES = "dovecot-core dovecot-imapd dovecot-lmtpd"


class Dovecot(Server):
    """
    An IMAP server with its mail below `folder`, which is its own.

    Shape: `imap` (plain and STARTTLS), `imaps` and `lmtp` are ports; `ca` the file of who signed its certificate,
    `cert` and `key` those of the server. `capability` takes the place of what it says it can do; `introspection` is the
    URL that knows access tokens; `rights` are what an account's owner may do in INBOX (RFC 4314), all by default; `room` is
    how many mails an account's folders below Archive/ take, where there are to be any; `zone` is where it stands.
    Whoever starts it as root has it run as nobody.
    """

    def __init__(
        self, *, capability: str = "", introspection: str = "", rights: str = "", room: str = "", zone: str = "UTC"
    ) -> None:
        needed(["dovecot", "doveadm"], PACKAGES)
        super().__init__("dovecot")
        folder = self.folder
        self.capability, self.introspection, self.rights, self.zone = capability, introspection, rights, zone
        self.room = room
        self.user = "nobody" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
        self.group = grp.getgrgid(pwd.getpwnam(self.user).pw_gid).gr_name
        self.ca, self.cert, self.key = folder / "ca.pem", folder / "cert.pem", folder / "key.pem"
        self.auth_socket = folder / "run" / "outside-auth"
        self.imap = self.imaps = self.lmtp = 0
        for part in ("run", "state", "mail"):
            (folder / part).mkdir()
        self._certify()

    def deliver(self, to: str, raw: bytes) -> None:
        """Deliver a mail, as a mail server would: it arrives now."""
        with smtplib.LMTP("127.0.0.1", self.lmtp, local_hostname="localhost", timeout=60) as server:
            server.sendmail("sender@example.org", [to], raw)

    def save(self, user: str, mails: Sequence[tuple[bytes, datetime]], folder: str = "INBOX") -> None:
        """Put mails into a folder, each with the moment at which it arrived."""
        with self.session(user) as client:
            client.multiappend(folder, [{"msg": raw, "date": arrived} for raw, arrived in mails])

    @contextmanager
    def session(self, user: str, folder: str | None = "INBOX") -> Iterator[IMAPClient]:
        """Log in as a person's own mail program would, and open a folder."""
        client = IMAPClient("127.0.0.1", self.imap, ssl=False, timeout=60)
        try:
            client.login(user, PASSWORD)
            if folder:
                client.select_folder(folder)
            yield client
        finally:
            client.logout()

    def raws(self, user: str, folder: str = "INBOX") -> list[bytes]:
        """Return the mails of a folder as they lie there, without looking at them."""
        with self.session(user, folder) as client:
            return [item[b"BODY[]"] for item in client.fetch(client.search(), ["BODY.PEEK[]"]).values()]

    def flags(self, user: str, folder: str = "INBOX") -> list[set[bytes]]:
        """Return the flags of the mails of a folder, but for that of recent ones."""
        with self.session(user, folder) as client:
            return [set(flags) - {b"\\Recent"} for flags in client.get_flags(client.search()).values()]

    def doveadm(self, *words: str) -> str:
        """Let the administrator do something."""
        return subprocess.run(
            [found("doveadm"), "-c", str(self._settings), *words],
            check=True,
            capture_output=True,
            text=True,
            timeout=20,
            user=self._other_user,
            extra_groups=[] if self._other_user else None,
            group=self.group if self._other_user else None,
        ).stdout

    @property
    def log(self) -> str:
        """Return what it noted."""
        return (self.folder / "dovecot.log").read_text(encoding="utf-8", errors="replace")

    @property
    def _settings(self) -> Path:
        return self.folder / "dovecot.conf"

    @property
    def _other_user(self) -> str | None:
        return self.user if os.geteuid() == 0 else None

    def _attempt(self) -> None:
        self.imap, self.imaps, self.lmtp = free_ports(3)
        self._settings.write_text(self._text(), encoding="utf-8")
        (self.folder / "acl").write_text(f"INBOX owner {self.rights}\n", encoding="utf-8")
        for path in [self.folder, *self.folder.rglob("*")]:
            self._give_away(path)
        self._run()

    def _give_away(self, path: Path) -> None:
        if self._other_user:
            shutil.chown(path, self.user, self.group)

    def _run(self) -> None:
        shutil.rmtree(self.folder / "run")
        (self.folder / "run").mkdir()
        self._give_away(self.folder / "run")
        command = [found("dovecot"), "-F", "-c", str(self._settings)]
        process = Process(command, self.folder / "dovecot.log", self._other_user, {"TZ": self.zone})
        self._run_until(process, [(self.imap, b"* OK"), (self.lmtp, b"220")])

    def _ports(self) -> Sequence[int]:
        return [self.imap, self.imaps, self.lmtp]

    def _certify(self) -> None:
        ca = trustme.CA()
        ca.cert_pem.write_to_path(str(self.ca))
        issued = ca.issue_cert("localhost", "127.0.0.1")
        issued.private_key_pem.write_to_path(str(self.key))
        for number, blob in enumerate(issued.cert_chain_pems):
            blob.write_to_path(str(self.cert), append=number > 0)

    def _text(self) -> str:
        password = base64.b64encode(PASSWORD.encode()).decode()
        text = _SETTINGS.format(at=self, password=password)
        if self.capability:
            text += f"imap_capability = {self.capability}\n"
        if self.rights:
            text += f"mail_plugins = acl\nplugin {{\n  acl = vfile:{self.folder}/acl\n}}\n"
        if self.room:
            text += _ARCHIVE.format(room=self.room)
        if self.introspection:
            oauth = self.folder / "oauth2.conf"
            oauth.write_text(_OAUTH.format(url=self.introspection), encoding="utf-8")
            text += _TOKENS.format(path=oauth)
        return text


_SETTINGS = """\
base_dir = {at.folder}/run
state_dir = {at.folder}/state
log_path = /dev/stderr
protocols = imap lmtp
listen = 127.0.0.1
default_internal_user = {at.user}
default_internal_group = {at.group}
default_login_user = {at.user}
first_valid_uid = 0
hostname = localhost
ssl = yes
ssl_cert = <{at.cert}
ssl_key = <{at.key}
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_username_format = %Ln
auth_failure_delay = 0
recipient_delimiter = +
lmtp_save_to_detail_mailbox = no
lmtp_hdr_delivery_address = final
mail_location = maildir:~/Maildir
mail_fsync = never
mail_max_userip_connections = 100
passdb {{
  driver = static
  mechanisms = plain login
  args = password={{PLAIN.b64}}{password}
}}
userdb {{
  driver = static
  args = uid={at.user} gid={at.group} home={at.folder}/mail/%n allow_all_users=yes
}}
namespace inbox {{
  inbox = yes
  separator = /
}}
service imap-login {{
  chroot =
  service_count = 0
  process_min_avail = 1
  inet_listener imap {{
    port = {at.imap}
  }}
  inet_listener imaps {{
    port = {at.imaps}
    ssl = yes
  }}
}}
service imap {{
  service_count = 1000
}}
service lmtp {{
  inet_listener lmtp {{
    address = 127.0.0.1
    port = {at.lmtp}
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service auth {{
  client_limit = 2000
  unix_listener {at.auth_socket.name} {{
    mode = 0666
  }}
}}
"""

_ARCHIVE = """\
mail_plugins = quota
namespace archive {{
  prefix = Archive/
  separator = /
  location = maildir:~/Archive
}}
plugin {{
  quota = count:archive:ns=Archive/
  quota_rule = *:messages={room}
  quota_vsizes = yes
}}
"""

_TOKENS = """\
auth_mechanisms = plain login xoauth2 oauthbearer
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {path}
}}
"""

_OAUTH = """\
introspection_mode = post
introspection_url = {url}
username_attribute = username
active_attribute = active
active_value = true
"""
