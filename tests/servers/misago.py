"""A private Misago forum with a PostgreSQL of its own, on loopback; the database's programs want another user than root."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.request import urlopen

from tests.servers.process import MissingError, Process, Server, free_ports

MISAGO = "misago==0.39.6"
"""What the forum needs, in an environment of its own: it wants other packages than we do."""
PEOPLE = ("arena", "gm", "alice", "bob", "cy", "dee", "zoe")
"""Who is there, all with the same password; gm is a moderator."""
PASSWORD = "pw"
CATEGORY = 3
_OWNER = "postgres"


class MisagoServer(Server):
    """
    A forum with PEOPLE in it; `http` is where it answers.

    Shape: it lets people post as fast as they like, but for `flood` seconds between two posts.
    """

    def __init__(self, *, flood: int = 0) -> None:
        self.python, self.postgres = _programs()
        super().__init__("misago")
        self.flood = flood
        (self.http,) = free_ports(1)
        self._forum: Process | None = None

    @property
    def url(self) -> str:
        """Return where it is, with a slash at its end."""
        return f"http://127.0.0.1:{self.http}/"

    def manage(self, code: str) -> str:
        """Run a program in the forum, and return what it prints."""
        command = [str(self.python), str(self.folder / "manage.py"), "shell", "-c", code]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=120, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def stop(self) -> None:
        """End the forum, and then its database."""
        if self._forum:
            self._forum.stop()
            self._forum = None
        super().stop()

    def _attempt(self) -> None:
        database = self.folder / "pg"
        for part in (database, self.folder / "media", self.folder / "mail"):
            part.mkdir(exist_ok=True)
        subprocess.run(["chown", _OWNER, str(database)], check=True, timeout=20)
        (self.folder / "forum_settings.py").write_text(_SETTINGS.format(at=self), encoding="utf-8")
        (self.folder / "manage.py").write_text(_MANAGE.format(at=self), encoding="utf-8")
        self._run()

    def _run(self) -> None:
        data = self.folder / "pg" / "data"
        is_new = not data.exists()
        if is_new:
            self._as_owner("initdb", "-D", str(data), "-U", "forum", "-A", "trust", "-E", "UTF8", "--locale", "C.UTF-8")
            with (data / "postgresql.conf").open("a", encoding="utf-8") as settings:
                settings.write(f"listen_addresses = ''\nunix_socket_directories = '{self.folder}/pg'\nfsync = off\n")
        log = self.folder / "postgres.log"
        self._process = Process([str(self.postgres / "postgres"), "-D", str(data)], log, _OWNER)
        self._process.wait_until(self._is_ready, "the database")
        if is_new:
            self._as_owner("createdb", "-h", str(self.folder / "pg"), "-U", "forum", "forum")
            self._manage("migrate")
            self.manage(_PEOPLE.format(people=PEOPLE, password=PASSWORD))
        command = [
            str(self.python),
            str(self.folder / "manage.py"),
            "runserver",
            "--noreload",
            f"127.0.0.1:{self.http}",
        ]
        self._forum = Process(command, self.folder / "forum.log")
        self._forum.wait_until(self._answers, "the forum")

    def _is_ready(self) -> bool:
        command = [str(self.postgres / "pg_isready"), "-q", "-h", str(self.folder / "pg")]
        return subprocess.run(command, check=False, timeout=20).returncode == 0

    def _answers(self) -> bool:
        try:
            with urlopen(f"{self.url}api/threads/", timeout=20):
                return True
        except OSError:
            return False

    def _manage(self, *words: str) -> None:
        command = [str(self.python), str(self.folder / "manage.py"), *words]
        done = subprocess.run(command, cwd=self.folder, capture_output=True, text=True, timeout=240, check=False)
        assert done.returncode == 0, done.stderr

    def _as_owner(self, program: str, *words: str) -> None:
        command = [str(self.postgres / program), *words]
        done = subprocess.run(
            command, cwd=self.folder / "pg", capture_output=True, text=True, timeout=120, check=False, user=_OWNER
        )
        assert done.returncode == 0, done.stderr

    def _ports(self) -> Sequence[int]:
        return [self.http]


def _programs() -> tuple[Path, Path]:
    """Return the Python of an environment with Misago, and where PostgreSQL's programs are. Errors: MissingError."""
    python = Path(os.environ.get("PBEM_MISAGO") or Path(sys.prefix).parent / ".misago") / "bin" / "python"
    if not python.exists():
        raise MissingError(f"no Misago: python3 -m venv .misago && .misago/bin/pip install {MISAGO}")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    if not found or os.geteuid() != 0:
        raise MissingError("a PostgreSQL of its own can be had by root alone: apt-get install postgresql")
    return python, found[-1]


_SETTINGS = """\
import os
os.environ.setdefault("MISAGO_PLUGINS", "")
from devproject.settings import *
from misago.threads.api.postingendpoint import floodprotection
floodprotection.MIN_POSTING_INTERVAL = {at.flood}

DATABASES = {{"default": {{"ENGINE": "django.db.backends.postgresql", "NAME": "forum", "USER": "forum",
    "HOST": "{at.folder}/pg"}}}}
MIDDLEWARE = [name for name in MIDDLEWARE if not name.startswith("debug_toolbar")]
CELERY_TASK_ALWAYS_EAGER = True
CELERY_BROKER_URL = "memory://"
EMAIL_BACKEND = "django.core.mail.backends.filebased.EmailBackend"
EMAIL_FILE_PATH = "{at.folder}/mail"
MEDIA_ROOT = "{at.folder}/media"
MISAGO_AVATAR_GALLERY = None
MISAGO_USER_DATA_DOWNLOADS_WORKING_DIR = "{at.folder}/media"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
"""

_MANAGE = """\
import os, sys
sys.path.insert(0, "{at.folder}")
os.environ["DJANGO_SETTINGS_MODULE"] = "forum_settings"
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
"""

_PEOPLE = """\
from django.contrib.auth import get_user_model
from misago.acl.models import Role
from misago.cache.versions import get_cache_versions, invalidate_all_caches
from misago.conf.dynamicsettings import DynamicSettings
from misago.users.models import Rank
from misago.users.setupnewuser import setup_new_user
for name in {people!r}:
    person = get_user_model().objects.create_user(name, name + "@pbem.test", "{password}")
    setup_new_user(DynamicSettings(get_cache_versions()), person)
    if name == "gm":
        person.roles.add(*Role.objects.filter(name="Moderator"))
        person.rank = Rank.objects.order_by("order").first()
        person.update_acl_key()
        person.save()
invalidate_all_caches()
"""
