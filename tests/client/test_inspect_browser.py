"""The page of `pith inspect` in a real headless browser, moved with real keys; skipped where there is no Chromium.

`CHROMIUM` names the program where it is not `/usr/bin/chromium`. The browser is driven over its debugging pipe.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import pith
import pith.inspect
from tests.client.double import Double
from tests.client.strategies import scored_document

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = (
    "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync --remote-debugging-pipe"
)
# The browser reads from descriptor 3 and writes to 4.
START = (
    "import os, sys; r, w = map(int, sys.argv[1:3]); os.dup2(r, 13); os.dup2(w, 14); os.dup2(13, 3); "
    "os.dup2(14, 4); os.execv(sys.argv[3], sys.argv[3:])"
)
SECONDS = 60.0
SAID_TWICE = "Blue whales sing to each other over whole oceans every single winter."

pytestmark = pytest.mark.skipif(not os.access(CHROMIUM, os.X_OK), reason=f"there is no browser at {CHROMIUM}")

NASTY = (
    f"{SAID_TWICE} </script><script>document.title = 'broken out'</script><!-- <img src=x onerror=alert(1)>\n"
    "\u202eRain falls on 鯨 and 👩\u200d👧 &amp; \u2028 on e\u0301.\r\n\n  שלום עולם blue.  \n"
)


class Browser:
    """One tab. Raises AssertionError for what the page's script throws."""

    def __init__(self, profile: Path) -> None:
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        self._process = subprocess.Popen(
            [
                *(sys.executable, "-c", START, str(to_browser), str(from_browser)),
                *(CHROMIUM, *FLAGS.split(), f"--user-data-dir={profile}", "about:blank"),
            ],
            pass_fds=(to_browser, from_browser),
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.thrown: list[str] = []
        self.requested: list[str] = []
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network"):
            self._call(f"{domain}.enable")

    def close(self) -> None:
        os.close(self._out)
        os.close(self._in)
        self._process.terminate()
        self._process.wait(SECONDS)

    def open(self, page: Path, fragment: str = "") -> None:
        """Load a page and wait for it; a new fragment alone loads nothing."""
        self.requested.clear()
        self._call("Page.navigate", url=page.as_uri() + fragment)
        give_up = time.monotonic() + SECONDS
        while self.value("document.readyState + location.href") != f"complete{page.as_uri()}{fragment}":
            assert time.monotonic() < give_up, "the page was not loaded in time"

    def value(self, script: str) -> Any:
        """What an expression is in the page."""
        answer = self._call("Runtime.evaluate", expression=script, returnByValue=True)
        assert "exceptionDetails" not in answer, answer
        assert not self.thrown, self.thrown
        return answer["result"].get("value")

    def press(self, key: str, code: int) -> None:
        for kind in ("rawKeyDown", "keyUp"):
            self._call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)

    def _call(self, method: str, **parameters: Any) -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while True:
            told = self._next()
            if told.get("method") == "Runtime.exceptionThrown":
                self.thrown.append(json.dumps(told["params"]))
            if told.get("method") == "Network.requestWillBeSent":
                self.requested.append(told["params"]["request"]["url"])
            if told.get("id") == self._number:
                assert "error" not in told, told
                return told["result"]

    def _next(self) -> Any:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._in], [], [], SECONDS)
            assert ready, "the browser does not answer"
            read = os.read(self._in, 1 << 16)
            assert read, "the browser has ended"
            self._rest += read
        message, _, self._rest = self._rest.partition(b"\0")
        return json.loads(message)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    started = Browser(tmp_path_factory.mktemp("profile"))
    yield started
    started.close()


@pytest.fixture
def page(double: Double, tmp_path: Path) -> Path:
    """Two documents, one of them a copy with more, and one that is empty; asked for the query and a need."""
    documents = [
        pith.Document(NASTY, id="<b>one</b>", title="Sea </title>", url="javascript:alert(1)"),
        pith.Document(f"{SAID_TWICE} Nothing else. Blue rain.", id="two"),
        pith.Document(" ", id="empty"),
    ]
    with pith.Compressor(double.url) as compressor:
        seen = pith.inspect.inspect(
            compressor, "blue whales", documents, threshold=0.5, needs=["rain", "snow"]
        )
    path = tmp_path / "page.html"
    path.write_text(seen.page(), encoding="utf-8")
    return path


TEXTS = "[...document.querySelectorAll('.text')].map(text => text.textContent)"
VIEWS = (
    "[...document.querySelectorAll('.seg')]"
    ".map(s => [s.lastChild.textContent.trim(), s.classList[1], s.dataset.why || ''])"
)


def test_the_texts_are_whole_and_nothing_breaks_out(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.value(TEXTS) == [NASTY, f"{SAID_TWICE} Nothing else. Blue rain.", " "]
    assert browser.value("document.title") == "blue whales \u2013 pith inspect"
    assert (
        browser.value("document.querySelectorAll('img, a[href^=javascript], main script, b b').length") == 0
    )
    assert browser.value("document.querySelector('h3 bdi').textContent") == "Sea </title>"


def test_nothing_comes_from_the_network(browser: Browser, page: Path) -> None:
    browser.open(page, "#only=1")
    assert [url.partition("#")[0] for url in browser.requested] == [page.as_uri()]


def test_every_segment_says_what_became_of_it(browser: Browser, page: Path) -> None:
    browser.open(page)
    views = {text: (view, why) for text, view, why in browser.value(VIEWS)}
    assert views["Nothing else."] == ("below_threshold", "below the threshold, 2 tokens")
    assert views["Blue rain."][0] == "kept"
    copies = {view: why for text, view, why in browser.value(VIEWS) if text == SAID_TWICE}
    assert copies == {"kept": "E2", "duplicate": "said elsewhere: E2, 12 tokens"}
    needs = browser.value("[...document.querySelectorAll('#needs > li')].map(n => n.textContent)")
    assert "covered by" in needs[0]
    assert "nothing reaches the threshold" in needs[1]
    assert "empty: the document has no text" in browser.value("document.getElementById('notes').textContent")


def test_the_threshold_in_the_address_shades_anew(browser: Browser, page: Path) -> None:
    browser.open(page, "#threshold=0.9")
    views = browser.value(VIEWS)
    (told,) = [why for text, _, why in views if text.startswith("שלום")]
    assert told.startswith("kept in this run, below this threshold, ")
    assert "reach 0.9" in browser.value("document.getElementById('reached').textContent")
    browser.open(page, "#threshold=0")
    assert ["Nothing else.", "reaches", "reaches this threshold, 2 tokens"] in browser.value(VIEWS)
    browser.open(page, "#threshold=9&by=77")
    assert browser.value("document.getElementById('exact').value") == "0.5"


def test_the_slider_moves_by_key_and_goes_back_by_button(browser: Browser, page: Path) -> None:
    browser.open(page)
    before = browser.value("document.getElementById('reached').textContent")
    browser.value("document.getElementById('threshold').focus()")
    browser.press("End", 35)
    assert browser.value("document.getElementById('exact').value") == "1"
    assert browser.value("location.hash") == "#threshold=1"
    browser.value("document.getElementById('reset').focus()")
    browser.value("document.getElementById('reset').click()")
    assert browser.value("location.hash") == ""
    assert browser.value("document.getElementById('reached').textContent") == before


def test_arrow_keys_walk_over_the_segments_and_show_their_scores(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.value("document.querySelector('.seg').focus()")
    browser.press("ArrowRight", 39)
    at = browser.value("[document.activeElement.dataset.i, document.activeElement.dataset.j]")
    assert at == ["0", "1"]
    assert (
        browser.value("document.querySelectorAll('article:first-of-type .seg[tabindex=\"0\"]').length") == 1
    )
    detail = browser.value("document.getElementById('detail').textContent")
    assert "tokens" in detail
    assert "rain" in detail
    browser.press("Escape", 27)
    assert browser.value("document.getElementById('detail').hidden") is True


def test_kept_text_alone_can_be_shown(browser: Browser, page: Path) -> None:
    browser.open(page, "#only=1")
    shown = browser.value(
        "[...document.querySelectorAll('.seg > .t')].filter(t => t.getClientRects().length)"
        ".map(t => t.parentNode.classList[1])"
    )
    assert shown
    assert set(shown) == {"kept"}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_can_be_read_on_its_ground(browser: Browser, page: Path, scheme: str) -> None:
    """Contrast of at least 4.5 (WCAG 2.2, 1.4.3) for text of documents that is kept and that is dropped."""
    browser._call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    browser.open(page)
    colors = browser.value(
        "[...document.querySelectorAll('.seg > .t, h1, #totals, .covered, .missing')].map(t => "
        "[t, t, document.body].map((e, n) => getComputedStyle(e)[n ? 'backgroundColor' : 'color']))"
    )
    for ink, ground, paper in colors:
        assert _contrast(_rgb(ink), _over(_rgb(ground), _rgb(paper))) >= 4.5, (scheme, ink, ground)
    browser._call("Emulation.setEmulatedMedia", features=[])


def test_a_page_of_documents_without_text_opens(browser: Browser, tmp_path: Path) -> None:
    scored = [scored_document([], id="none")]
    result = pith.select_evidence(scored, budget="low", threshold=0.5)
    path = tmp_path / "none.html"
    path.write_text(pith.inspect.page(result, scored), encoding="utf-8")
    browser.open(path)
    assert "Nothing is kept" in browser.value("document.getElementById('notes').textContent")


def _rgb(text: str) -> list[float]:
    numbers = [
        float(part) for part in text[text.index("(") + 1 : -1].replace(",", " ").replace("/", " ").split()
    ]
    return numbers if len(numbers) == 4 else [*numbers, 1.0]


def _over(ground: list[float], paper: list[float]) -> list[float]:
    share = ground[3]
    return [share * a + (1 - share) * b for a, b in zip(ground[:3], paper[:3], strict=True)]


def _contrast(one: list[float], other: list[float]) -> float:
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: list[float]) -> float:
    parts = [c / 255 / 12.92 if c / 255 <= 0.04045 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color[:3]]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
