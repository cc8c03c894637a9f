"""Private mailing lists on loopback, of two kinds of list server, behind a Postfix of ours; they need root."""

import json
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from tests.servers.process import MissingError, Process, Server, found, free_ports, needed, new_folder

DOMAIN = "lists.test"
MAILMAN = ("mailman", "mailmanclient", "sqlalchemy<2.1", "gunicorn<24")
"""What GNU Mailman 3.3 needs, in an environment of its own: it wants other packages than we do."""
_OWNER = "nobody"


class Lists(Protocol):
    """A server of mailing lists, as a Postfix knows it."""

    def routes(self, smtp: int) -> tuple[str, str]:
        """Return what main.cf and master.cf need besides, so that mail comes to it; it sends by this port."""
        ...


class Mlmmj:
    """
    Lists of mlmmj 1.3: nothing runs, a Postfix calls it for each mail.

    Shape: all lies below `folder`. What somebody posts who is no member is held, unless a list is open.
    """

    def __init__(self) -> None:
        needed(["mlmmj-receive", "mlmmj-sub"], "mlmmj")
        if os.geteuid() != 0:
            raise MissingError("lists of its own can be had by root alone")
        self.folder = new_folder("mlmmj")

    def make(self, name: str, members: Sequence[str], *, is_open: bool = False) -> str:
        """Make a list, and return its address."""
        place, address = self.folder / name, f"{name}@{DOMAIN}"
        for part in _MLMMJ_FOLDERS:
            (place / part).mkdir(parents=True)
        shutil.copytree("/usr/share/mlmmj/text.skel/en", place / "text")
        (place / "index").touch()
        headers = [f"List-Id: <{name}.{DOMAIN}>", f"List-Post: <mailto:{address}>", "Precedence: list"]
        settings = {
            "listaddress": address,
            "owner": "owner@example.org",
            "moderators": "owner@example.org",
            "relayhost": "127.0.0.1",
            "delimiter": "+",
            "customheaders": "\n".join(headers),
            **dict.fromkeys(() if is_open else ("subonlypost", "modnonsubposts", "notifymod"), ""),
        }
        for setting, value in settings.items():
            (place / "control" / setting).write_text(f"{value}\n" if value else "", encoding="utf-8")
        self._give_away()
        for member in members:
            command = [found("mlmmj-sub"), "-L", str(place), "-a", member, "-fqs"]
            subprocess.run(command, check=True, user=_OWNER, group=_group(), extra_groups=[], timeout=20)
        return address

    def routes(self, smtp: int) -> tuple[str, str]:
        """Return what Postfix needs, and say to each list where to send."""
        for place in self.folder.iterdir():
            (place / "control" / "smtpport").write_text(f"{smtp}\n", encoding="utf-8")
        self._give_away()
        command = f"/usr/bin/mlmmj-receive -F -L {self.folder}/${{user}}"
        main = "\n".join(
            (
                "mlmmj_destination_recipient_limit = 1",
                f"relay_domains = {DOMAIN}",
                f"transport_maps = inline:{{ {{{DOMAIN} = mlmmj:}} }}",
            )
        )
        return main, f"mlmmj unix - n n - - pipe\n  flags=ORhu user={_OWNER} argv={command}\n"

    def posts(self, name: str) -> list[bytes]:
        """Return what went out to a list, in order."""
        archive = self.folder / name / "archive"
        return [path.read_bytes() for path in sorted(archive.iterdir(), key=lambda path: int(path.name))]

    def remove(self) -> None:
        """Take everything away."""
        shutil.rmtree(self.folder, ignore_errors=True)

    def _give_away(self) -> None:
        for path in [self.folder, *self.folder.rglob("*")]:
            shutil.chown(path, _OWNER, _group())


_MLMMJ_FOLDERS = (
    ("incoming", "queue", "queue/discarded", "archive", "subconf", "unsubconf", "bounce", "control", "moderation")
    + ("requeue", "subscribers.d", "digesters.d", "nomailsubs.d")
)  # fmt: skip


class Mailman(Server):
    """
    Lists of GNU Mailman 3.3, its core alone, with the settings that a new list of it has.

    Shape: `lmtp` takes posts, `rest` is where it is administered. It is started behind its Postfix, which tells it where
    to send.
    """

    def __init__(self) -> None:
        self.programs = _mailman()
        super().__init__("mailman")
        self.smtp = 0
        self.lmtp, self.rest = free_ports(2)

    def routes(self, smtp: int) -> tuple[str, str]:
        """Return what Postfix needs, and note where to send."""
        self.smtp = smtp
        route = f"transport_maps = inline:{{ {{{DOMAIN} = lmtp:inet:127.0.0.1:{self.lmtp}}} }}"
        return f"relay_domains = {DOMAIN}\n{route}", ""

    def _attempt(self) -> None:
        (self.folder / "var").mkdir(exist_ok=True)
        settings = _MAILMAN.format(at=self, domain=DOMAIN)
        # Also what a busy machine did not let out at once: by default that waits for a quarter of an hour.
        for runner in ("in", "pipeline", "out", "retry", "virgin", "command", "archive", "digest", "bounces"):
            settings += f"[runner.{runner}]\nsleep_time: 0.1s\n"
        (self.folder / "mailman.cfg").write_text(settings, encoding="utf-8")
        self._run()

    def _run(self) -> None:
        command = [str(self.programs / "master"), "--force", "-C", str(self.folder / "mailman.cfg")]
        process = Process(command, self.folder / "master.log", None, {"HOME": str(self.folder)})
        self._run_until(process, [(self.lmtp, b"220")], patience=90)
        self._do("create_domain", DOMAIN)

    def _ports(self) -> Sequence[int]:
        return [self.lmtp, self.rest]

    def make(self, name: str, members: Sequence[str], *, is_open: bool = False, **settings: Any) -> str:
        """Make a list, and return its address; `settings` are other ones than a new list has."""
        if is_open:
            settings["default_nonmember_action"] = "accept"
        self._do("create_list", name, list(members), settings)
        return f"{name}@{DOMAIN}"

    def settle(self, name: str, **settings: Any) -> None:
        """Change settings of a list."""
        self._do("settle", name, settings)

    def held(self, name: str) -> list[str]:
        """Return why posts to a list are held."""
        return [str(one) for one in self._do("held", name)]

    def words(self) -> str:
        """Return the last that it wrote into its logs, for whoever misses a letter."""
        logs = sorted((self.folder / "var" / "logs").glob("*.log"))
        return "\n".join(log.read_text(encoding="utf-8", errors="replace")[-4000:] for log in logs)

    def discard(self, name: str) -> None:
        """Drop the posts to a list that are held."""
        self._do("discard", name)

    def _do(self, what: str, *words: Any) -> Any:
        """Let the library of Mailman do something; it wants other packages than we do, so it is a process of its own."""
        command = [str(self.programs / "python"), "-c", _CLIENT, str(self.rest), DOMAIN, what, json.dumps(words)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


def _mailman() -> Path:
    """Return where Mailman is installed: in an environment beside the one that runs us. Errors: MissingError."""
    place = Path(os.environ.get("PBEM_MAILMAN") or Path(sys.prefix).parent / ".mailman") / "bin"
    if not (place / "mailman").exists():
        raise MissingError(f"no Mailman: python3 -m venv .mailman && .mailman/bin/pip install {' '.join(MAILMAN)}")
    if os.geteuid() != 0:
        raise MissingError("lists of its own can be had by root alone")
    return place.resolve()


def _group() -> int:
    return pwd.getpwnam(_OWNER).pw_gid


_MAILMAN = """\
[mailman]
layout: private
site_owner: postmaster@{domain}
[paths.private]
var_dir: {at.folder}/var
bin_dir: {at.programs}
[mta]
incoming: mailman.mta.null.NullMTA
smtp_host: 127.0.0.1
smtp_port: {at.smtp}
lmtp_host: 127.0.0.1
lmtp_port: {at.lmtp}
[webservice]
hostname: 127.0.0.1
port: {at.rest}
workers: 1
[archiver.mail_archive]
enable: no
[archiver.mhonarc]
enable: no
"""

_CLIENT = """\
import json, sys, time
from mailmanclient import Client, MailmanConnectionError
port, domain, what, words = sys.argv[1], sys.argv[2], sys.argv[3], json.loads(sys.argv[4])
client = Client(f"http://127.0.0.1:{port}/3.1", "restadmin", "restpass")
until = time.monotonic() + 60
while True:
    try:
        client.system
        break
    except MailmanConnectionError:
        if time.monotonic() > until:
            raise
        time.sleep(0.2)
found = None
if what == "create_domain":
    if domain not in [one.mail_host for one in client.domains]:
        client.create_domain(domain)
elif what == "create_list":
    name, members, settings = words
    made = client.get_domain(domain).create_list(name)
    made.settings["send_welcome_message"] = False
    made.settings.update(settings)
    made.settings.save()
    for member in members:
        made.subscribe(member, pre_verified=True, pre_confirmed=True, pre_approved=True)
elif what == "settle":
    made = client.get_list(f"{words[0]}@{domain}")
    made.settings.update(words[1])
    made.settings.save()
elif what == "held":
    found = [one.reason for one in client.get_list(f"{words[0]}@{domain}").held]
elif what == "discard":
    for one in client.get_list(f"{words[0]}@{domain}").held:
        one.discard()
print(json.dumps(found))
"""
