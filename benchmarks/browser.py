"""The page as people meet it: a server in a process of its own, the system's Chromium, and axe."""

import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from axe_playwright_python.sync_playwright import Axe
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
ARGUMENTS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run")
STOPPING = 20  # seconds
COLOURS = 256  # of a picture for the docs
AXE = Axe().axe_script
# All rules, with the two that axe leaves out unless they are asked for. Style sheets are the
# page's own, so that none has to be fetched.
SETTINGS = {
    "resultTypes": ["violations"],
    "preload": False,
    "rules": {"target-size": {"enabled": True}, "label-content-name-mismatch": {"enabled": True}},
}
RUN = """async ([within, settings]) =>
  (await axe.run(within, settings)).violations.flatMap(({ id, nodes }) =>
  nodes.map(({ html, target }) => `${id}: ${target.join(" ")}: ${html.slice(0, 160)}`))"""


class ServerProcess:
    """``azulejar serve`` on a folder and a port; it can be killed and started again."""

    def __init__(self, folder: Path, *options: str, cache: Path | None = None) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        command = [sys.executable, "-m", "azulejar", "serve", str(folder), "--no-browser"]
        self.command = [*command, "--port", str(port), *options]
        self.environment = os.environ | ({"AZULEJAR_CACHE": str(cache)} if cache else {})
        self.address = f"http://127.0.0.1:{port}"

    def start(self) -> None:
        """Start it, and return once it answers."""
        self.process = subprocess.Popen(
            self.command, stdout=subprocess.DEVNULL, env=self.environment
        )
        while not self._answers():
            if self.process.poll() is not None:
                raise SystemExit("the server did not start")
            time.sleep(0.1)

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}/api/session"):
                return True
        except urllib.error.URLError:
            return False

    def kill(self) -> None:
        """End it at once, without a word."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """End it as Ctrl-C does."""
        self.process.send_signal(signal.SIGINT)
        try:
            self.process.wait(STOPPING)
        except subprocess.TimeoutExpired:
            self.kill()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield the system's Chromium, without a window."""
    path = next((found for found in map(shutil.which, NAMES) if found), None)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


def rules_broken(page: Page, within: str = "html", *, dark: bool = False) -> list[str]:
    """Return the rules of accessibility that a page, or a part of it, breaks as it shows now.

    Each is axe's name of the rule, the element's selector and its beginning. ``dark``: look at its
    colours in the dark, too.
    """
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE)
    found = page.evaluate(RUN, [within, SETTINGS])
    if dark:
        page.emulate_media(color_scheme="dark", reduced_motion="reduce")
        found += page.evaluate(RUN, [within, SETTINGS | {"runOnly": ["color-contrast"]}])
        page.emulate_media(color_scheme="light", reduced_motion="null")
    return found


def take(page: Page, path: Path) -> None:
    """Save a screenshot in few colours, since the files go into the repository."""
    page.wait_for_timeout(700)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=3)
    few.save(path, optimize=True)
    print(path, flush=True)
