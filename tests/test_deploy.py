"""What deploy/ holds is true: the unit is sound, the samples are read, the run-book's commands and paths are ours."""

import gc
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from itertools import product
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click
import msgspec
import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from pbem.__main__ import _run
from pbem.cli import pbem
from pbem.letters import authentication
from pbem.world import settings
from pbem.world.settings import ImapSettings, MaildirSettings, Settings
from tests import lock, reference

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
FILES = sorted(path for path in DEPLOY.iterdir() if path.is_file())
UNIT = (DEPLOY / "pbem.service").read_text(encoding="utf-8")
CONTAINER = (DEPLOY / "Containerfile").read_text(encoding="utf-8")
BOOK = (DEPLOY / "README.md").read_text(encoding="utf-8")
PLUS = (DEPLOY / "plus-addressing.md").read_text(encoding="utf-8")
GENUINE = (DEPLOY / "genuine-mail.md").read_text(encoding="utf-8")
SAMPLE = (DEPLOY / "settings.sample.toml").read_text(encoding="utf-8")


def program(name: str) -> str:
    """Find a program of the system; where CI runs, it has to be there."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin")
    if found is None:
        said = f"{name} is not installed"
        if os.environ.get("CI") == "true":
            pytest.fail(said)
        pytest.skip(said)
    return found


def run(*words: str) -> str:
    """Run a program and return all that it says; it has to end well."""
    done = subprocess.run(words, capture_output=True, text=True, timeout=30, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def of_unit(key: str) -> str:
    """Return the last value of a key of the unit."""
    found: list[str] = re.findall(rf"^{key}=(.*)$", UNIT, re.MULTILINE)
    return found[-1]


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced blocks of a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


# -- the unit ---------------------------------------------------------------------------------------------------------


def test_systemd_finds_nothing_to_say_about_the_unit(tmp_path: Path) -> None:
    """All its settings are known and have values that they can have; only the program lies elsewhere here."""
    copy = tmp_path / "pbem.service"
    copy.write_text(UNIT.replace("/opt/pbem/bin/pbem", sys.executable), encoding="utf-8")
    assert copy.read_text(encoding="utf-8") != UNIT
    assert run(program("systemd-analyze"), "verify", "--man=no", str(copy)) == ""


def test_the_unit_leaves_little_open() -> None:
    """By systemd's own reckoning of exposure, of which 10 is the worst, it is below 2."""
    said = run(program("systemd-analyze"), "security", "--offline=true", "--threshold=20", str(DEPLOY / "pbem.service"))
    assert "Overall exposure level" in said


def test_the_unit_keeps_memory_small_and_out_of_files() -> None:
    """No core holds players' mail, and neither memory nor threads grow without end."""
    assert of_unit("LimitCORE") == "0" and of_unit("MemoryMax") == "1G" and of_unit("TasksMax") == "64"
    assert int(of_unit("WatchdogSec")) > int(of_unit("TimeoutStopSec")) > 300  # how long a mail server may take


def test_a_mistake_in_the_settings_is_not_tried_again() -> None:
    """The exit code of such a mistake is the one at which the unit stays down."""
    assert _run(["--arena", "/nowhere/arena", "health"]) == int(of_unit("RestartPreventExitStatus"))


# -- the sample settings ----------------------------------------------------------------------------------------------


def sample(mailbox: int, outbox: int) -> str:
    """Return the sample with these of its alternatives, as a person would switch them on."""
    wanted = {"mailbox": mailbox, "outbox": outbox}
    parts = re.split(r"(?m)^(?=# (?:\d\. |-{10}))", SAMPLE)
    kept = []
    for part in parts:
        heading = re.match(r"# (\d)\. ", part)
        table = re.search(r"^(?:#\? )?\[(\w+)\]", part, re.MULTILINE)
        if not heading or not table:
            kept.append(part)
        elif wanted[table[1]] == int(heading[1]):
            kept.append(re.sub(r"(?m)^#\? ", "", part))
    return "".join(kept)


def read(tmp_path: Path, text: str) -> Settings:
    """Read settings from a file."""
    (tmp_path / "settings.toml").write_text(text, encoding="utf-8")
    return settings.read(tmp_path)


def test_the_sample_is_read_as_it_stands(tmp_path: Path) -> None:
    """It is an IMAP account with a password, and says the defaults truly where it says them."""
    found = read(tmp_path, SAMPLE)
    assert isinstance(found.mailbox, ImapSettings)
    assert found == read(tmp_path, sample(1, 1))
    assert found.daemon == settings.DaemonSettings()
    fresh = ImapSettings(kind="imap", host="h")
    for name in ("port", "tls", "ca_file", "login", "folder", "processed", "dedicated", "idle"):
        assert getattr(found.mailbox, name) == getattr(fresh, name), name
    assert f"left out: {settings.ArenaSettings(address='a@example.org').name}\n" in SAMPLE


@pytest.mark.parametrize(("mailbox", "outbox"), list(product((1, 2, 3), (1, 2, 3))))
def test_every_alternative_of_the_sample_is_read(tmp_path: Path, mailbox: int, outbox: int) -> None:
    """Each way for mail to come in goes with each way for letters to go out; tokens without [oauth] need a command."""
    text = sample(mailbox, outbox)
    if outbox == 2 and mailbox != 2:
        head, table, tail = text.partition("[outbox]")
        text = head + table + tail.replace("token_command = []", 'token_command = ["/usr/local/bin/token"]')
    found = read(tmp_path, text)
    assert isinstance(found.mailbox, MaildirSettings if mailbox == 3 else ImapSettings)
    assert found.outbox.login == ("xoauth2" if outbox == 2 else "password")
    assert bool(found.oauth) == (mailbox == 2)
    assert found.outbox.host == ("127.0.0.1" if outbox == 3 else "smtp.example.org")


def known_settings() -> set[tuple[str, str]]:
    """Return every table of settings.toml with each of its fields."""
    found = set()
    for table, hint in get_type_hints(Settings).items():
        kinds = [
            kind for kind in (*get_args(hint), hint) if isinstance(kind, type) and issubclass(kind, msgspec.Struct)
        ]
        found |= {(table, field.name) for kind in kinds for field in msgspec.structs.fields(kind)}
    return found


def test_the_sample_has_every_setting_and_no_other() -> None:
    """A field that is added to the settings has to be told here, with its meaning beside it."""
    table, told, meant = "", set(), set()
    for line in SAMPLE.split("\n"):
        plain = line.removeprefix("#? ")
        if match := re.match(r"\[+(\w+)\]+", plain):
            table = match[1]
        elif match := re.match(r"(\w+) = (.*)", plain):
            told.add((table, match[1]))
            if "# " in match[2]:
                meant.add(match[1])
    assert told == known_settings()
    assert {name for _, name in told} == meant


# -- commands and exit codes ------------------------------------------------------------------------------------------

_BEFORE = r"^|&& |\|\| |; |\$\(|-- |exec pbem |:/var/lib/pbem |root |-m "
_CALL = re.compile(rf"(?:{_BEFORE})(?:/[\w/-]+bin/)?pbem (?!-- )([^|;&>)#\n]+)", re.MULTILINE)


def commands(text: str) -> list[list[str]]:
    """Return the words behind `pbem` wherever a line of shell calls it."""
    joined = text.replace("\\\n", " ").replace(" 2>&1", "")
    return [shlex.split(found) for found in _CALL.findall(joined)]


def check(words: list[str]) -> None:
    """Let the terminal read a command, all but do it."""
    name, *rest = words[2:] if words[0] == "--arena" else words
    if name not in pbem.commands:
        raise click.UsageError(f"there is no pbem {name}")
    with pbem.commands[name].make_context(name, rest):
        pass


def test_every_command_of_the_run_book_is_one() -> None:
    """Whatever it tells to type is read by the terminal: names, options, and as many words as are needed."""
    texts = [text for book in (BOOK, PLUS, GENUINE) for kind in ("sh", "cron") for text in blocks(book, kind)]
    texts += [line.lstrip("# ") for line in CONTAINER.split("\n") if line.startswith("#")]
    found = [words for text in texts for words in commands(text)]
    assert len(found) > 25
    assert {"init", "doctor", "health", "games", "replay", "rule", "reindex", "show"} <= {
        word for words in found for word in words
    }
    for words in found:
        check(words)


def test_every_command_in_passing_is_one() -> None:
    """`pbem NAME --option` in a sentence has a name and options that there are."""
    everything = "\n".join(path.read_text(encoding="utf-8") for path in FILES)
    spans = re.findall(r"`pbem ([^`]+)`", everything)
    assert spans
    for name, *rest in map(shlex.split, spans):
        options = {option for param in pbem.commands[name].params for option in param.opts}
        assert {word for word in rest if word.startswith("--")} <= options


def test_unit_and_container_call_the_terminal_rightly() -> None:
    """What systemd and the container start is a command with its options."""
    assert of_unit("ExecStart").split()[1:] == ["--arena", "/var/lib/pbem/arena", "run"]
    check(of_unit("ExecStart").split()[1:])
    entry, start, watch = (
        json.loads(re.findall(rf"\b{word} (\[.*\])$", CONTAINER, re.MULTILINE)[-1])
        for word in ("ENTRYPOINT", "^CMD", "HEALTHCHECK .* CMD")
    )
    assert entry == ["pbem"] and start == ["run"] and watch == ["pbem", "health"]
    check(start)
    check(watch[1:])


def test_a_command_that_is_none_would_be_found() -> None:
    """The two tests above read what they are meant to read."""
    for line in (
        "pbem fly",
        "cd / && runuser -u pbem -- /opt/pbem/bin/pbem --arena x health --wings",
        "docker exec pbem pbem x",
    ):
        (words,) = commands(line)
        with pytest.raises(click.UsageError):
            check(words)
    assert commands("systemctl stop pbem\nuserdel pbem\ndocker stop -t 330 pbem") == []


def test_the_exit_codes_of_health_are_those_that_the_run_book_tells(tmp_path: Path) -> None:
    """Each code in its table comes about in the way that it says, and there is no other."""
    arena, maildir = tmp_path / "arena", tmp_path / "Maildir"
    for folder in ("new", "cur", "tmp"):
        (maildir / folder).mkdir(parents=True)
    asked = ("--arena", str(arena), "health")
    codes = {"settings": _run(list(asked)), "line": _run([*asked, "--wings"])}
    arena.mkdir(mode=0o700)
    (arena / "settings.toml").write_text(f'[arena]\naddress = "arena@example.org"\n[mailbox]\npath = "{maildir}"\n')
    codes["never"] = _run(list(asked))
    assert _run(["--arena", str(arena), "sweep"]) == 0
    codes["well"] = _run(list(asked))
    gc.collect()  # an index that is still open from above would be written back when it is closed
    (arena / "index.sqlite").write_text("no index, and long enough to be taken for a damaged one\n" * 20)
    for name in ("index.sqlite-wal", "index.sqlite-shm"):
        (arena / name).unlink(missing_ok=True)
    codes["damaged"] = _run(list(asked))
    assert codes == {"settings": 78, "line": 2, "never": 1, "well": 0, "damaged": 75}
    table = BOOK.partition("## Watch")[2].partition("\n## ")[0]
    assert [int(code) for code in re.findall(r"^\| (\d+) \|", table, re.MULTILINE)] == sorted(codes.values())


# -- paths and names --------------------------------------------------------------------------------------------------


def test_all_say_the_same_paths() -> None:
    """Program, user, arena and Maildir are where the unit has them, in the run-book, the script and the container."""
    venv, home = of_unit("ExecStart").split()[0].removesuffix("/bin/pbem"), f"/var/lib/{of_unit('StateDirectory')}"
    arena, user = of_unit("ExecStart").split()[2], of_unit("User")
    assert of_unit("WorkingDirectory") == home and arena == f"{home}/arena"
    script = (DEPLOY / "as-pbem.sh").read_text(encoding="utf-8")
    for needed in (f"{venv}/bin/pbem --arena {arena} ", f"HOME={home}", f"runuser -u {user} "):
        assert needed in script
    for needed in (f"venv {venv} ", f"{venv} {venv}\n", f"PBEM_ARENA={arena}", f"VOLUME {home}\n", f"USER {user}\n"):
        assert needed in CONTAINER
    for needed in (f"`{venv}`", f"`{user}`", f"`{arena}`", f"`{home}/Maildir`"):
        assert re.search(rf"^\|.*{re.escape(needed)}", BOOK, re.MULTILINE)
    for text in (BOOK, PLUS, SAMPLE, CONTAINER):
        places = set(re.findall(r"/(?:opt|srv|var/lib)/pbem[\w-]*(?:/\w+)?", text))
        assert places <= {
            venv, f"{venv}-before", f"{venv}/bin", f"{venv}-before/bin", home, arena, f"{arena}-before".rstrip("/"),
            f"{home}/Maildir",
        }  # fmt: skip
    assert set(re.findall(r"--stop-timeout (\d+)|stop -t (\d+)", CONTAINER + BOOK)) == {
        (of_unit("TimeoutStopSec"), ""), ("", of_unit("TimeoutStopSec")),
    }  # fmt: skip


def test_the_container_has_what_the_wheel_is_made_of() -> None:
    """Everything that pyproject.toml names for the build is copied, and all that is copied is there."""
    copied = [word for line in re.findall(r"^COPY (?!--)(.*) \S+$", CONTAINER, re.MULTILINE) for word in line.split()]
    assert all((ROOT / name).exists() for name in copied)
    project: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = [project["project"]["readme"], *project["project"]["license-files"], *wheel["packages"]]
    assert {*needed, *wheel["force-include"], "pyproject.toml"} <= set(copied)


def test_a_release_is_installed_with_all_that_it_needs_pinned() -> None:
    """Every package that is needed while it runs has one version, none else has, and all fit what pyproject.toml asks."""
    lines = [line for line in reference.CONSTRAINTS.read_text(encoding="utf-8").split("\n") if line[:1] != "#"]
    pinned = dict(line.split("==") for line in lines if line)
    assert list(pinned) == [line.split("==")[0] for line in reference.pins().split()], "python -m tests.reference"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for line in [*project["dependencies"], *extras["metrics"], *extras["pictures"]]:
        needed = Requirement(line)
        assert needed.specifier.contains(pinned[canonicalize_name(needed.name)]), line
    assert BOOK.count("pip install ") == BOOK.count(f"-c deploy/{reference.CONSTRAINTS.name} ")
    assert f"-c {reference.CONSTRAINTS.name} ." in CONTAINER


def test_the_lock_has_the_hashes_of_what_is_pinned() -> None:
    """The same packages in the same versions as constraints.txt, each with hashes, and the container holds to them."""
    packages = lock.LOCK.read_text(encoding="utf-8").removeprefix(lock.ABOVE).replace(" \\\n", "").splitlines()
    pins = reference.CONSTRAINTS.read_text(encoding="utf-8").removeprefix(reference.ABOVE_PINS).splitlines()
    assert [package.split(" ")[0] for package in packages] == [pin for pin in pins if pin], "python -m tests.lock"
    assert all(re.fullmatch(r"\S+(?: +--hash=sha256:[0-9a-f]{64})+", package) for package in packages)
    assert f"--require-hashes -r {lock.LOCK.name}" in CONTAINER


def test_the_script_is_shell() -> None:
    """A shell reads it, and it can be run."""
    run(program("sh"), "-n", str(DEPLOY / "as-pbem.sh"))
    assert os.access(DEPLOY / "as-pbem.sh", os.X_OK)


@pytest.mark.parametrize(
    "text",
    [one for page in (BOOK, PLUS, GENUINE) for one in blocks(page, "sh")],
    ids=lambda text: text.split("\n")[0][:40],
)
def test_every_block_of_commands_is_shell(text: str) -> None:
    """Quotes and brackets of what is to be typed are closed."""
    run(program("sh"), "-n", "-c", text)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_no_address_is_anybodys(path: Path) -> None:
    """Mail addresses and hosts are those that are kept for examples, or this machine's own."""
    text = path.read_text(encoding="utf-8")
    hosts = re.findall(r"[\w.+-]+@([\w-][\w.-]*)", text) + re.findall(r"https?://([\w.-]+)", text)
    assert [host for host in hosts if not re.fullmatch(r"(?:.+\.)?example\.(?:org|com)|127\.0\.0\.1", host)] == []


# -- snippets for mail servers ----------------------------------------------------------------------------------------


def test_postfix_knows_every_setting_of_its_snippets(tmp_path: Path) -> None:
    """It reads them without a word of warning."""
    (said,) = blocks(PLUS, "ini")
    first = re.findall(r"postconf -e '(.*)'", PLUS + GENUINE)
    (tmp_path / "main.cf").write_text("compatibility_level = 3.6\n" + said + "\n".join(first) + "\n")
    (tmp_path / "master.cf").touch()
    shown = run(program("postconf"), "-c", str(tmp_path), "-n")
    assert "warning" not in shown
    assert {line.partition(" =")[0] for line in said.strip().split("\n")} <= {
        line.partition(" =")[0] for line in shown.split("\n")
    }


def test_what_the_page_on_genuine_mail_shows_is_read_so() -> None:
    """Its example of what a mail server found out vouches for that domain's people, under the name in its settings."""
    wanted = tomllib.loads(blocks(GENUINE, "toml")[0])["arena"]["authserv"]
    found = re.findall(r"^    Authentication-Results: (.*)$", GENUINE, re.MULTILINE)
    assert len(found) == 2
    for one in found:
        assert authentication.checked([one], wanted, "gwen@example.com") == "pass"
        assert authentication.checked([one], wanted, "gwen@example.net") == "none"
    assert all(f"AuthservID          {wanted[0]}\n" in text for text in blocks(GENUINE, "conf"))


def test_the_records_on_the_page_are_whole() -> None:
    """One of each kind, under its name, with what it must have."""
    rows = re.findall(r"^(\S+)\. +TXT +\"(.*)\"$", blocks(GENUINE, "dns")[0], re.MULTILINE)
    (spf, spf_says), (dkim, dkim_says), (dmarc, dmarc_says) = rows
    assert spf == "example.org" and spf_says.startswith("v=spf1 ") and spf_says.endswith(" -all")
    selector = re.findall(r"^Selector +(\S+)$", GENUINE, re.MULTILINE)
    assert dkim == f"{selector[0]}._domainkey.{spf}" and dkim_says.startswith("v=DKIM1; ") and "p=" in dkim_says
    assert dmarc == f"_dmarc.{spf}" and re.match(r"v=DMARC1; p=(none|quarantine|reject);", dmarc_says)


def test_dovecot_reads_its_snippet(tmp_path: Path) -> None:
    """It keeps what stands behind the plus, and finds the accounts where the text says."""
    conf = tmp_path / "dovecot.conf"
    conf.write_text(f"protocols = lmtp\nssl = no\n{blocks(PLUS, 'conf')[0]}", encoding="utf-8")
    shown = run(program("doveconf"), "-c", str(conf), "-a")
    for line in ("recipient_delimiter = +", "lmtp_hdr_delivery_address = final", "args = /etc/dovecot/arena.users"):
        assert f"{line}\n" in shown
