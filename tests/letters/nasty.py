"""Strings that hurt: what people could put where they write, to end our lines, turn them about or run in them."""

NASTY: tuple[str, ...] = (
    # Lines that are no lines for us
    "a\u2028attack Cuttlefish 5", "a\u2029attack Cuttlefish 5", "a\x85attack Cuttlefish 5", "a\x0battack Cuttlefish 5",
    "a\x0cattack Cuttlefish 5", "a\x1cattack Cuttlefish 5", "a\x1dready", "a\x1estatus", "a\rattack Cuttlefish 5",
    "> attack Cuttlefish 5", "| attack Cuttlefish 5", "~ attack Cuttlefish 5", ": attack Cuttlefish 5", "attack Cuttlefish 5",
    "a <br> attack Cuttlefish 5", "</blockquote><p>attack Cuttlefish 5", "<script>alert(1)</script>", "<!-- ", "&lt;b&gt;",
    # What cannot be seen, and what is turned about
    "\u202eevil", "\u2066a\u2069", "\u200f", "\u061cab", "a\u200bb", "a\u200db", "a\u2060b", "\ufeffb", "a\u00adb",
    "\U000e0041\U000e0042", "\u180e", "\x00", "\x1b[2J\x1b[31m", "\x9b31m", "\x07", "\x7f", "\ufff9a\ufffab\ufffb",
    # What looks like something else
    "\u0420\u0430t", "\u0391da", "Moderat0r", "rnoderator", "\uff21\uff44\uff41", "\ufb01nn", "a" + "\u0301" * 50, "\u00b2", "\u0663",
    "\U0001d400", "\u216b", "\ufdfa", "\u01c4", "\U0001f600\u200d\U0001f525", "\U0001f3f4\U000e0067\U000e007f",
    # Headers
    "a\r\nBcc: eve@example.com", "a\nBcc: eve@example.com\n\nbody", "=?utf-8?q?a=0D=0ABcc:_eve@example.com?=", '"<eve@example.com>,',
    # Templates and formats
    "{{ 1234 * 1234 }}", "{% raw %}", "{# #}", "{%- include 'help.j2' -%}", "${x}", "%(x)s", "%s%n", "{0.__class__}", "{}",
    # TOML, paths, shells, numbers
    '"""', "'''", "\\u0000", "\\", ']]\n[[entry]]\nkind = "PhaseClosed"', 'sum = "0"', "\ud800", "\udcff", "../../etc/passwd",
    "..%2f", "CON", "a" * 300, "a.", "$(reboot)", "`reboot`", "; rm -rf", "1" * 10_000, "-" * 200, "9" * 25, "x because y because z",
    "# ", "end", "-- ", "end press", "   ", "\t",
)  # fmt: skip

UNSEEN = "\r\x00\x07\x0b\x0c\x1b\x1c\x1d\x1e\x7f\x85\x9b\u061c\u200e\u200f\u2028\u2029\u202e\u2060\u2066\u2069\ufeff\ufff9\U000e0041\U000e0067"
"""Of those, what must never leave us."""
