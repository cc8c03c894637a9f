"""The site in a real browser: at every width, light and dark, printed, without scripts; held to axe."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.site.pages import arena_of_specimens, built, files, opened

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
try:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright
except ImportError:
    CHROMIUM = None
MISSING = "no chromium, or no playwright and axe: pip install '.[browser]'"
pytestmark = [
    pytest.mark.skipif(CHROMIUM is None and os.environ.get("CI") != "true", reason=MISSING),
    pytest.mark.sweep,
    pytest.mark.timeout(300),
]
PAGES = (
    "index.html", "winners.html", "rulings.html", "about.html", "powers.html", "rules/rumble.html", "rules/discs.html",
    "games/rumble-1/index.html", "games/brawl-2/index.html", "games/discs-2/index.html", "games/rumble-2/phase-04.html",
    "games/rumble-2/phase-01.html", "games/discs-1/phase-03.html", "games/brawl-1/phase-02.html",
)  # fmt: skip
"""A page of each kind, of each game."""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site of all specimens."""
    folder = tmp_path_factory.mktemp("browser")
    arena = opened(arena_of_specimens(folder / "arena"))
    assert not built(arena, folder / "site").troubles
    arena.close()
    return folder / "site"


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A browser without a window."""
    assert CHROMIUM, MISSING
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


def page_in(browser: Any, **terms: Any) -> Any:
    """Return an empty page that notes what its console says."""
    page = browser.new_context(**terms).new_page()
    page.said = []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    page.on("requestfailed", lambda request: page.said.append(request.url))
    return page


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280])
def test_everybody_can_read_it(site: Path, browser: Any, width: int, scheme: str) -> None:
    """Nothing that axe knows of is wrong, and nothing leads sideways; axe itself needs the page's policy set aside."""
    page = page_in(browser, viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    for path in PAGES:
        page.goto(f"file://{site / path}")
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, (path, over)
        for fold in page.locator("details").all():
            fold.evaluate("one => one.open = true")
        over = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert over <= 0, (path, "unfolded", over)
        found = Axe().run(page).response["violations"]
        assert not found, (path, [(one["id"], one["nodes"][0]["html"]) for one in found])
    page.context.close()


def test_policy_of_a_page_lets_all_of_it_work(site: Path, browser: Any) -> None:
    """Opened from a folder: style and pictures come, both scripts run, and the console says nothing."""
    page = page_in(browser, viewport={"width": 390, "height": 900})
    for path in PAGES:
        page.goto(f"file://{site / path}")
        assert page.evaluate("getComputedStyle(document.body).margin") == "0px", path
        for picture in page.locator("img").all():
            picture.scroll_into_view_if_needed()
            page.wait_for_function("one => one.complete && one.naturalWidth > 0", arg=picture.element_handle())
    page.goto(f"file://{site}/games/rumble-1/index.html")
    page.wait_for_function("document.getElementById('proof').textContent.startsWith('✓')")
    page.goto(f"file://{site}/index.html")
    page.fill("#find", "POLICE came")
    assert page.locator("#found tbody tr:visible").count() == 1
    page.fill("#find", "nothing like it")
    assert page.locator("#none").is_visible()
    assert not page.said
    page.context.close()


def test_without_scripts_all_can_be_read(site: Path, browser: Any) -> None:
    """What only a script can do is not there; all games are listed, and the seal can be checked by hand."""
    page = page_in(browser, java_script_enabled=False)
    page.goto(f"file://{site}/index.html")
    assert page.locator("#found tbody tr").count() == 6 and not page.locator("#find").is_visible()
    page.goto(f"file://{site}/games/rumble-1/index.html")
    assert page.locator("#proof").inner_text().startswith("Put the whole seed")
    assert page.locator("details").first.is_visible()
    assert not page.said
    page.context.close()


def test_printed_page_has_the_story_and_no_menus(site: Path, browser: Any) -> None:
    """Folded sums are printed; what leads elsewhere, and the report as it was mailed, is not."""
    page = page_in(browser)
    page.emulate_media(media="print")
    page.goto(f"file://{site}/games/rumble-1/index.html")
    assert not page.locator("nav.rounds").is_visible() and not page.locator(".mailed").first.is_visible()
    assert page.locator("#phase-3 .body").is_visible()
    printed = page.pdf(format="A4", print_background=True)
    assert printed.startswith(b"%PDF") and 3 <= printed.count(b"/Type /Page\n") + printed.count(b"/Type /Page ") <= 14
    page.context.close()


@pytest.mark.parametrize("wild", ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)"])
def test_nothing_that_people_wrote_runs(site: Path, browser: Any, tmp_path: Path, wild: str) -> None:
    """Even where our templates forgot to escape it: the page's policy stops it."""
    folder = shutil.copytree(site, tmp_path / "site")
    path = folder / "games/rumble-1/index.html"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("</h1>", f'{wild}<a id="wild" href="{wild}">x</a></h1>'), encoding="utf-8")
    page = page_in(browser)
    alarms: list[str] = []

    def refuse(dialog: Any) -> None:
        alarms.append(dialog.message)
        dialog.dismiss()

    page.on("dialog", refuse)
    page.goto(f"file://{path}")
    if wild.startswith("javascript"):
        page.click("#wild")
    page.wait_for_function("document.getElementById('proof').textContent.startsWith('✓')")
    assert not alarms and any("Content Security Policy" in said for said in page.said)
    page.context.close()
    assert files(folder)
