"""Compiled templates on disk, so that no process compiles them anew; sealed, since to load one is to run it."""

import hashlib
import hmac
import os
import sys
from pathlib import Path
from types import ModuleType

import jinja2
from jinja2.bccache import Bucket

from pbem.world import disk

_SEAL = hashlib.sha256().digest_size


def made_by(module: ModuleType) -> str:
    """
    Return a digest of the modules beside one, by which templates are compiled.

    What stands for itself in a template, as a word that is filled to a width, is worked out when it is compiled.
    """
    files = sorted(Path(str(module.__file__)).parent.rglob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in files)).hexdigest()


class CompiledTemplates(jinja2.BytecodeCache):
    """
    A folder of compiled templates that only we can write to, and in which nothing is believed without our seal.

    Shape: `secret` is known to nobody else; `made_by` says by which programs a template was compiled, so that what
    others compiled is no match, and gives way to ours; in each `dress` the same names are other templates. What cannot
    be read or written is compiled anew, and nothing is lost by it.
    """

    def __init__(self, root: Path, secret: bytes, made_by: str, dress: str = "text") -> None:
        """Take the arena's folder; ours lies in it."""
        self._root, self._secret = root, secret
        self._made_by, self._dress = made_by, dress

    def beside(self, dress: str) -> "CompiledTemplates":
        """Return the templates of another dress."""
        return CompiledTemplates(self._root, self._secret, self._made_by, dress)

    def load_bytecode(self, bucket: Bucket) -> None:
        """Load a template if it is there with our seal."""
        try:
            with disk.file(self._root, self._place(bucket), os.O_RDONLY) as handle:
                found = disk.drain(handle)
        except OSError:
            return
        if hmac.compare_digest(found[:_SEAL], self._seal(bucket, found[_SEAL:])):
            bucket.bytecode_from_string(found[_SEAL:])

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template; whoever is killed here leaves what the seal does not fit, or nothing."""
        data = bucket.bytecode_to_string()
        *parts, name = self._place(bucket)
        new = f"{name}.{os.getpid()}"
        try:
            with disk.folder(self._root, parts, set()) as within:
                disk.make(new, self._seal(bucket, data) + data, within)
                os.rename(new, name, src_dir_fd=within, dst_dir_fd=within)
        except OSError:
            return

    def _place(self, bucket: Bucket) -> disk.Parts:
        return ".compiled", f"{bucket.key}.{self._dress}"

    def _seal(self, bucket: Bucket, data: bytes) -> bytes:
        by = f"{self._made_by} jinja {jinja2.__version__} python {sys.version}"
        about = f"template {bucket.key} {bucket.checksum} in {self._dress} compiled by {by}: ".encode()
        return hmac.digest(self._secret, about + data, "sha256")
