"""Pictures of the page for the docs, made from the painted demo panel.

python benchmarks/screenshots.py docs/images/page starts a server in a temporary folder, drives
the system's Chromium through the demo and writes one PNG a state of the page. Those of a museum
are taken by day.py.
"""

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page

from azulejar.app.people.accounts import Accounts
from azulejar.app.people.roles import Role
from azulejar.imaging.picture import write_picture
from azulejar.practice.painting import paint_panel
from azulejar.practice.samples import DEMO_COLS, DEMO_ROWS, DEMO_TILE
from browser import ServerProcess, chromium, take
from reference import photograph

LAPTOP = {"width": 1280, "height": 800}
PASSWORD = "azul e branco"
MINUTES = 60_000  # milliseconds
UPRIGHT = 3  # quarters that bring the demo's solution upright: the same seed, the same answer


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, chromium() as browser:
        projects = Path(name)
        cache = projects / ".cache"  # edges are to be judged
        with ServerProcess(projects, cache=cache) as server:
            project = solve_the_demo(browser, server.address, folder)
            correct_it(browser, project, folder)
            guide_it(browser, project, folder)
            page = open_page(browser, server.address)
            take(page, folder / "start.png")
        work_together(browser, folder)


def open_page(browser: Browser, address: str, **options) -> Page:
    options = {"viewport": LAPTOP, "locale": "en-GB", **options}
    page = browser.new_context(**options).new_page()
    page.goto(address)
    page.wait_for_timeout(1500)
    return page


def solve_the_demo(browser: Browser, address: str, folder: Path) -> str:
    """Go from the start page to a solved panel; return its address."""
    page = open_page(browser, address)
    page.get_by_role("button", name="Open the demo").click()
    solve = page.get_by_role("button", name="Solve", exact=True)
    solve.wait_for(timeout=3 * MINUTES)
    solve.click()
    page.locator(".fitting").first.wait_for(timeout=5 * MINUTES)
    take(page, folder / "judging.png")
    page.get_by_text("Generation").wait_for(timeout=5 * MINUTES)
    take(page, folder / "solving.png")
    page.locator(".job").get_by_text("Put together in").wait_for(timeout=10 * MINUTES)
    for _ in range(UPRIGHT):
        page.get_by_role("button", name="Turn the whole panel").click()
        page.wait_for_timeout(600)
    page.context.close()
    return page.url


def correct_it(browser: Browser, project: str, folder: Path) -> None:
    """Swap two tiles, show what fits, and compare with the version before."""
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
    page.locator(".fit:enabled").first.wait_for()
    take(page, folder / "tile.png")
    page.get_by_role("button", name="Versions").click()
    page.get_by_role("button", name="Compare", exact=True).click()
    page.get_by_text("differently").wait_for()
    take(page, folder / "compare.png")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Undo").click()
    page.wait_for_timeout(600)
    page.context.close()


def guide_it(browser: Browser, project: str, folder: Path) -> None:
    """Solve with an old photograph of the panel as a guide, and compare the two."""
    page = open_page(browser, project)
    with tempfile.TemporaryDirectory() as name:
        old = Path(name) / "Wall, 1931.png"
        write_picture(old, photograph(paint_panel(DEMO_ROWS, DEMO_COLS, DEMO_TILE), 1))
        with page.expect_file_chooser() as chooser:
            page.get_by_role("button", name="Add an old picture").click()
        chooser.value.set_files(old)
        page.get_by_text(old.name).wait_for()
    page.locator(".solve-button").click()
    page.locator(".job").get_by_text("The old picture was believed").wait_for(timeout=10 * MINUTES)
    page.locator(".job .success").wait_for(timeout=10 * MINUTES)
    page.wait_for_timeout(2000)
    take(page, folder / "old-picture.png")
    page.locator(".job").get_by_role("button", name="Compare with the old picture").click()
    page.locator(".laid-over").wait_for()
    page.wait_for_timeout(2000)
    take(page, folder / "old-picture-compare.png")
    page.context.close()


def work_together(browser: Browser, folder: Path) -> None:
    """Let two people with accounts work on the demo, one in Portuguese; show what one sees."""
    with tempfile.TemporaryDirectory() as projects:
        accounts = Accounts(Path(projects))
        for name, role in (("Ana Sousa", Role.MANAGE), ("Eva Lopes", Role.WORK)):
            accounts.add(name, role, PASSWORD)
        accounts.close()
        with ServerProcess(Path(projects)) as server:
            ana = open_page(browser, server.address, locale="pt-PT")
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
            take(eva, folder / "people.png")
            ana.context.close()
            eva.context.close()


def log_in(page: Page, name: str) -> None:
    page.locator("input[autocomplete=username]").fill(name)
    page.locator("input[type=password]").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_timeout(2000)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
