"""Pictures of the page for the docs, made from the painted demo panel.

python benchmarks/screenshots.py docs/images/page starts a server in a temporary folder, drives
the system's Chromium through the demo and writes one PNG a state of the page.
"""

import io
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from azulejar.app.accounts import Accounts
from azulejar.app.people import Role

LAPTOP = {"width": 1280, "height": 800}
TABLET = {"width": 820, "height": 1180}
ARGUMENTS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
COLOURS = 256
PASSWORD = "azul e branco"
MINUTES = 60_000  # milliseconds
UPRIGHT = 3  # quarters that bring the demo's solution upright: the same seed, the same answer


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as projects,
        serve(Path(projects)) as address,
        sync_playwright() as playwright,
    ):
        path = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        project = solve_the_demo(browser, address, folder)
        correct_it(browser, project, folder)
        show_it_elsewhere(browser, address, project, folder)
        work_in_a_museum(browser, address, folder)
        work_together(browser, folder)
        browser.close()


@contextmanager
def serve(projects: Path) -> Iterator[str]:
    """Yield the address of a running server."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "azulejar", "serve", str(projects), "--no-browser"]
    fresh = os.environ | {"AZULEJAR_CACHE": str(projects / ".cache")}  # edges are to be judged
    server = subprocess.Popen([*command, "--port", str(port)], stdout=subprocess.DEVNULL, env=fresh)
    address = f"http://127.0.0.1:{port}"
    try:
        while not answers(address):
            time.sleep(0.2)
        yield address
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()


def answers(address: str) -> bool:
    try:
        with urllib.request.urlopen(f"{address}/api/session"):
            return True
    except urllib.error.URLError:
        return False


def open_page(browser: Browser, address: str, **options) -> Page:
    options = {"viewport": LAPTOP, "locale": "en-GB", **options}
    page = browser.new_context(**options).new_page()
    page.goto(address)
    page.wait_for_timeout(1500)
    return page


def take(page: Page, folder: Path, name: str) -> None:
    """Save a screenshot in few colours, since the files go into the repository."""
    page.wait_for_timeout(700)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    few = picture.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, kmeans=3)
    few.save(folder / f"{name}.png", optimize=True)
    print(folder / f"{name}.png", flush=True)


def solve_the_demo(browser: Browser, address: str, folder: Path) -> str:
    """Go from the start page to a solved panel; return its address."""
    page = open_page(browser, address)
    page.get_by_role("button", name="Open the demo").click()
    solve = page.get_by_role("button", name="Solve", exact=True)
    solve.wait_for(timeout=3 * MINUTES)
    take(page, folder, "tiles")
    solve.click()
    page.locator(".fitting").first.wait_for(timeout=5 * MINUTES)
    take(page, folder, "judging")
    page.get_by_text("Generation").wait_for(timeout=5 * MINUTES)
    take(page, folder, "solving")
    page.locator(".job").get_by_text("Put together in").wait_for(timeout=10 * MINUTES)
    for _ in range(UPRIGHT):
        page.get_by_role("button", name="Turn the whole panel").click()
        page.wait_for_timeout(600)
    page.get_by_role("button", name="Show everything").click()
    take(page, folder, "solved")
    page.context.close()
    return page.url


def correct_it(browser: Browser, project: str, folder: Path) -> None:
    """Swap two tiles, lift one, show what fits; then show versions and exports."""
    page = open_page(browser, project)
    box = page.locator("canvas.table").bounding_box()
    assert box is not None
    place = box["x"] + box["width"] * 0.52, box["y"] + box["height"] * 0.45
    other = box["x"] + box["width"] * 0.3, box["y"] + box["height"] * 0.62
    page.mouse.move(*place)
    page.mouse.down()
    page.mouse.move(*other, steps=8)
    page.mouse.up()
    page.mouse.click(*place)
    page.get_by_label("Also tiles that lie in a panel").check()
    take(page, folder, "tile")
    page.get_by_role("button", name="Undo").click()
    page.get_by_label("Also tiles that lie in a panel").uncheck()
    for each in (other, place):  # the first opens the tray, and the panel moves a little
        page.mouse.click(*each)
        page.keyboard.press("Delete")
        page.wait_for_timeout(1000)
    page.mouse.click(*place)
    page.locator(".fit:enabled").first.wait_for()
    take(page, folder, "candidates")
    page.get_by_role("button", name="Versions").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_text("differently").wait_for()
    take(page, folder, "compare")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Export").click()
    take(page, folder, "export")
    page.keyboard.press("Escape")
    for _ in range(2):
        page.get_by_role("button", name="Undo").click()
        page.wait_for_timeout(600)
    page.context.close()


def show_it_elsewhere(browser: Browser, address: str, project: str, folder: Path) -> None:
    """Show the page dark, on a tablet and in Portuguese, and the start page with its list."""
    for name, options in {
        "dark": {"color_scheme": "dark"},
        "tablet": {"viewport": TABLET, "has_touch": True},
        "portuguese": {"locale": "pt-PT"},
    }.items():
        page = open_page(browser, project, **options)
        take(page, folder, name)
        page.context.close()
    page = open_page(browser, address)
    take(page, folder, "start")
    page.context.close()


def work_together(browser: Browser, folder: Path) -> None:
    """Let two people with accounts work on the demo, one in Portuguese; show what one sees."""
    with tempfile.TemporaryDirectory() as projects:
        accounts = Accounts(Path(projects))
        for name, role in (("Ana Sousa", Role.MANAGE), ("Eva Lopes", Role.WORK)):
            accounts.add(name, role, PASSWORD)
        accounts.close()
        with serve(Path(projects)) as address:
            ana = open_page(browser, address, locale="pt-PT")
            log_in(ana, "Ana Sousa")
            ana.get_by_role("button", name="Abrir a demonstração").click()
            solve = ana.get_by_role("button", name="Resolver", exact=True)
            solve.wait_for(timeout=3 * MINUTES)
            ana.get_by_text("Opções").click()
            ana.locator("select:has(option[value=mgc])").select_option("mgc")
            ana.locator("select:has(option[value=fast])").select_option("fast")
            solve.click()
            ana.locator(".job .success").wait_for(timeout=10 * MINUTES)
            eva = open_page(browser, ana.url)
            log_in(eva, "Eva Lopes")
            box = ana.locator("canvas.table").bounding_box()
            assert box is not None
            ana.mouse.click(box["x"] + box["width"] * 0.4, box["y"] + box["height"] * 0.4)
            eva.locator(".cursor-of").wait_for(timeout=MINUTES)
            eva.get_by_role("tab", name="History").click()
            take(eva, folder, "people")
            ana.context.close()
            eva.context.close()


def log_in(page: Page, name: str) -> None:
    page.locator("input[autocomplete=username]").fill(name)
    page.locator("input[type=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_timeout(2000)


def work_in_a_museum(browser: Browser, address: str, folder: Path) -> None:
    """Make a museum of the practice crates, from choosing them to the report."""
    with tempfile.TemporaryDirectory() as home:
        crates = Path(home, "practice")
        paint = [sys.executable, "-m", "azulejar", "collection", "practice", "-o", str(crates)]
        subprocess.run(paint, check=True, stdout=subprocess.DEVNULL)
        page = open_page(browser, address)
        page.get_by_role("button", name="New museum").click()
        page.get_by_label("Name of the museum").fill("Museu de exemplo")
        page.get_by_role("button", name="Create").click()
        page.get_by_text("Drop crates here").wait_for()
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Choose a folder").click()
        chooser.value.set_files(crates / "crates")
        page.get_by_role("button", name="Add", exact=True).click()
        page.locator(".job").get_by_text("The crates were added").wait_for(timeout=3 * MINUTES)
    take(page, folder, "museum-crates")
    page.get_by_role("button", name="Dismiss").click()
    page.get_by_role("tab", name="Panels").click()
    page.get_by_role("button", name="Sort into panels").click()
    page.locator(".job").get_by_text("The museum was sorted").wait_for(timeout=5 * MINUTES)
    page.get_by_role("button", name="Put panels together").click()
    page.get_by_role("dialog").get_by_role("button", name="Solve").click()
    page.locator(".job").get_by_text("The panels were put together").wait_for(timeout=10 * MINUTES)
    page.get_by_role("button", name="Dismiss").click()
    take(page, folder, "museum-panels")
    page.get_by_role("tab", name="Tiles").click()
    page.get_by_role("searchbox").fill("a1")
    page.wait_for_timeout(1500)
    page.locator(".tile-cell").nth(3).click()
    page.get_by_role("button", name="Right").click()
    page.locator(".fit-card").first.wait_for(timeout=MINUTES)
    take(page, folder, "museum-tiles")
    page.get_by_role("tab", name="Report").click()
    take(page, folder, "museum-report")
    page.context.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
