"""A private Postfix: SMTP and submission on loopback, logins asked of a Dovecot, mail delivered to it; needs root."""

import os
import shutil
import time
from collections.abc import Sequence

from tests.servers.dovecot import Dovecot
from tests.servers.lists import Lists
from tests.servers.process import PATIENCE, MissingError, Process, Server, StartError, free_ports, needed

PACKAGES = "postfix libsasl2-modules"
DOMAINS = ("localhost", "example.org")


class Postfix(Server):
    """
    A mail server with its queue below `folder`, which is its own, for a Dovecot that runs.

    Shape: `smtp` takes mail for DOMAINS from anybody; `submission` (STARTTLS) and `smtps` take mail from whoever logs
    in with the Dovecot's password. Mail to other domains is sent back, but for that of its lists, where it has any; these
    send by `smtp` too. Its certificate is the Dovecot's.
    """

    def __init__(self, dovecot: Dovecot, lists: Lists | None = None) -> None:
        needed(["postfix", "postconf"], PACKAGES)
        if os.geteuid() != 0:
            raise MissingError("a private Postfix can be started by root alone")
        self.dovecot, self.lists = dovecot, lists
        super().__init__("postfix")
        folder = self.folder
        self.smtp = self.submission = self.smtps = 0
        for part in ("conf", "data", "queue", *(f"queue/{part}" for part in _QUEUE)):
            (folder / part).mkdir()
        for part, mode in {"data": 0o700, **{f"queue/{part}": mode for part, mode in _QUEUE.items()}}.items():
            shutil.chown(folder / part, "postfix", "postdrop")
            (folder / part).chmod(mode)

    def _attempt(self) -> None:
        self.smtp, self.submission, self.smtps = free_ports(3)
        conf = self.folder / "conf"
        main, master = self.lists.routes(self.smtp) if self.lists else ("", "")
        settings = _MAIN.format(at=self, domains=", ".join(DOMAINS), programs=_PROGRAMS)
        (conf / "main.cf").write_text(f"{settings}{main}\n", encoding="utf-8")
        (conf / "master.cf").write_text(f"{_MASTER.format(at=self)}{master}", encoding="utf-8")
        (conf / "dynamicmaps.cf").touch()
        for path in conf.iterdir():  # it waits until a change of its settings is two seconds old
            os.utime(path, (0, 0))
        self._run()

    def _run(self) -> None:
        command = [f"{_PROGRAMS}/master", "-c", str(self.folder / "conf"), "-d"]
        process = Process(command, self.folder / "postfix.log")
        self._run_until(process, [(self.smtp, b"220"), (self.submission, b"220")])

    def deliver_all(self) -> None:
        """Wait until it has delivered all that it took."""
        until = time.monotonic() + PATIENCE
        while any(path.is_file() for part in _WAITING for path in (self.folder / "queue" / part).rglob("*")):
            if time.monotonic() > until:
                raise StartError(f"letters left in the queue:\n{self.words()}")
            time.sleep(0.001)

    def words(self) -> str:
        """Return the last that it wrote into its log, for whoever misses a letter."""
        return (self.folder / "postfix.log").read_text(encoding="utf-8", errors="replace")[-8000:]

    def _ports(self) -> Sequence[int]:
        return [self.smtp, self.submission, self.smtps]


_PROGRAMS = "/usr/lib/postfix/sbin"
_QUEUE = {
    **dict.fromkeys(("active", "bounce", "corrupt", "defer", "deferred", "flush", "hold", "incoming"), 0o700),
    **dict.fromkeys(("pid", "private", "saved", "trace"), 0o700),
    "maildrop": 0o730,
    "public": 0o710,
}

_WAITING = ("maildrop", "incoming", "active", "deferred")

_MAIN = """\
compatibility_level = 3.6
queue_directory = {at.folder}/queue
data_directory = {at.folder}/data
command_directory = /usr/sbin
daemon_directory = {programs}
shlib_directory = /usr/lib/postfix
mail_owner = postfix
setgid_group = postdrop
maillog_file = {at.folder}/postfix.log
maillog_file_prefixes = {at.folder}
myhostname = localhost
mydestination =
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks =
virtual_mailbox_domains = {domains}
virtual_transport = lmtp:inet:127.0.0.1:{at.dovecot.lmtp}
default_transport = error:no mail leaves this server
lmtp_destination_recipient_limit = 1
recipient_delimiter = +
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = {at.dovecot.auth_socket}
smtpd_tls_security_level = may
smtpd_tls_auth_only = yes
smtpd_tls_cert_file = {at.dovecot.cert}
smtpd_tls_key_file = {at.dovecot.key}
smtpd_recipient_restrictions = permit_sasl_authenticated, reject_unauth_destination
smtpd_client_connection_rate_limit = 0
smtpd_client_message_rate_limit = 0
smtpd_peername_lookup = no
disable_dns_lookups = yes
smtp_host_lookup = native
alias_maps =
alias_database =
local_recipient_maps =
message_size_limit = 20480000
mailbox_size_limit = 0
in_flow_delay = 0
queue_run_delay = 1s
minimal_backoff_time = 1s
maximal_backoff_time = 2s
transport_retry_time = 1s
service_throttle_time = 1s
lmtp_connect_timeout = 5s
lmtp_lhlo_timeout = 5s
"""

_MASTER = """\
127.0.0.1:{at.smtp} inet n - n - - smtpd
127.0.0.1:{at.submission} inet n - n - - smtpd
  -o smtpd_tls_security_level=encrypt
  -o smtpd_recipient_restrictions=permit_sasl_authenticated,reject
127.0.0.1:{at.smtps} inet n - n - - smtpd
  -o smtpd_tls_wrappermode=yes
  -o smtpd_recipient_restrictions=permit_sasl_authenticated,reject
pickup unix n - n 60 1 pickup
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
lmtp unix - - n - - lmtp
error unix - - n - - error
retry unix - - n - - error
discard unix - - n - - discard
local unix - n n - - local
virtual unix - n n - - virtual
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
"""
