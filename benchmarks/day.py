"""A day in a museum: two people, thousands of tiles, one browser, and a server that is killed.

python benchmarks/day.py [--panels 66] [--crates FOLDER] [--write] paints the crates of ``azulejar
collection practice``, or takes those painted before, and walks in Portuguese through everything
that Ana, who manages, and Eva, who works, do between the first crate and the printed report. Every
view is shown at three widths, and has to fit and to keep the rules of axe. The server is killed
while files arrive, while panels are put together, and right after a change on the table. Whatever
is not as it should be ends the walk; --write keeps what was seen as docs/results/day.md, and the
pictures for docs/page.md.
"""

import argparse
import base64
import io
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import cv2
from playwright.sync_api import Browser, Locator, Page, expect
from pypdf import PdfReader

from azulejar.app.people.accounts import Accounts
from azulejar.app.people.roles import Role
from azulejar.imaging.picture import read_picture
from azulejar.practice.scenes import SCENES, render_scene
from browser import ServerProcess, chromium, rules_broken, take
from tables import RESULTS, origin, table, write_page

WIDTHS = {1440: 900, 1024: 768, 390: 844}  # px, and the height that goes with it
PASSWORD = "azul e branco"
ANA, EVA = "Ana Sousa", "Eva Lopes"
MUSEUM = "Museu de exemplo"
LONG = 2 * 3600_000  # milliseconds: no job is given up because a machine is slow
TOGETHER = 12  # tiles on a photograph
PHOTOGRAPH = (1000, 1300)  # pixels
FOUND = 0.9  # share of the tiles on photographs that have to be found
expect.set_options(timeout=120_000)
PICTURES = RESULTS.parent / "images" / "page"
REVIEWED = 3
SHARES = (0.5, 0.4, 0.6, 0.3, 0.7)  # of the table's sides, where a tile may lie
ID = "new URLSearchParams(location.hash.slice(1)).get('museum')"
DROP = """files => {
  const data = new DataTransfer();
  for (const [name, text] of files) {
    const bytes = Uint8Array.from(atob(text), letter => letter.charCodeAt(0));
    data.items.add(new File([bytes], name, { type: "image/jpeg" }));
  }
  document.querySelector("main").dispatchEvent(
    new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
}"""


class Day:
    """A server and a browser, what was done with them, and how long it took."""

    def __init__(self, server: ServerProcess, browser: Browser, write: bool) -> None:
        self.server, self.browser, self.write = server, browser, write
        self.rows: list[list[object]] = []
        self.views = self.killed = 0
        self.faults: list[str] = []  # of what pages show

    @contextmanager
    def step(self, who: str, what: str) -> Iterator[list[str]]:
        """Time what somebody does; what is put into the list is told with it."""
        print(f"{who}: {what} …", flush=True)
        seen: list[str] = []
        began = time.perf_counter()
        yield seen
        seconds = f"{time.perf_counter() - began:.1f}"
        self.rows.append([who, what, "; ".join(seen), seconds])
        print(f"    {seconds} s  {'; '.join(seen)}", flush=True)

    def arrive(self, width: int, name: str | None, address: str = "", **options: Any) -> Page:
        """Open the page as somebody with a screen of that width, who logs in."""
        size = {"width": width, "height": WIDTHS[width]}
        page = self.browser.new_context(locale="pt-PT", viewport=size, **options).new_page()
        page.set_default_timeout(120_000)
        page.on("pageerror", lambda error: self.faults.append(error.message))
        page.goto(f"{self.server.address}/{address}")
        if name:
            page.locator("input[autocomplete=username]").fill(name)
            page.locator("input[type=password]").fill(PASSWORD)
            page.keyboard.press("Enter")
            expect(page.locator(".start, .museum, canvas.table").first).to_be_visible()
        return page

    def look(self, page: Page) -> None:
        """Look at a view at every width: it fits, and breaks no rule of axe."""
        size = page.viewport_size
        assert size is not None
        for width, height in WIDTHS.items():
            page.set_viewport_size({"width": width, "height": height})
            page.wait_for_timeout(400)
            beyond = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            for each in [f"{beyond} px too wide"] * (beyond > 0) + rules_broken(page, dark=True):
                self.faults.append(f"{page.url.rpartition('/')[2]} at {width} px: {each}")
                print(f"    {self.faults[-1]}", flush=True)
            self.views += 1
        page.set_viewport_size(size)
        page.wait_for_timeout(400)

    def kill(self) -> None:
        self.server.kill()
        self.killed += 1

    def picture(self, page: Page, name: str) -> None:
        """Take a picture for the docs, which are read on screens of ordinary size."""
        size = page.viewport_size
        if not self.write or size is None:
            return
        page.set_viewport_size({"width": 1280, "height": 800} if size["width"] > 1000 else size)
        take(page, PICTURES / f"{name}.png")
        page.set_viewport_size(size)


def ask(page: Page, path: str) -> Any:
    """Return the server's answer to the person of a page."""
    reply = page.request.get(f"{page.evaluate('location.origin')}/api{path}", timeout=LONG)
    assert reply.ok, reply.text()
    return reply.json()


def wait(page: Page, condition: Callable[[], bool]) -> None:
    while not condition():
        page.wait_for_timeout(100)


def press(within: Page | Locator, name: str, **how: Any) -> None:
    within.get_by_role("button", name=name, **how).first.click()


def end_of_job(page: Page) -> str:
    """Wait for the end of a job; return how it ended, and take the message away."""
    expect(page.locator(".job .failure")).to_be_hidden()
    ended = page.locator(".job .ended-line p")
    expect(ended).to_be_visible(timeout=LONG)
    words = ended.inner_text()
    assert "success" in (ended.get_attribute("class") or ""), page.locator(".job").inner_text()
    press(page.locator(".job"), "Dispensar")
    return words


def museum_of(page: Page) -> Any:
    return ask(page, f"/museums/{page.evaluate(ID)}")


# The morning


def open_the_museum(day: Day) -> Page:
    with day.step(ANA, "logs in, adds an account, makes a museum"):
        page = day.arrive(1440, None)
        page.locator("input[autocomplete=username]").wait_for()
        day.look(page)
        page.context.close()
        page = day.arrive(1440, ANA)
        day.look(page)
        press(page, f"Conta de {ANA}")
        press(page, "Pessoas")
        page.get_by_label("Nome", exact=True).fill(EVA)
        page.locator("dialog input[type=password]").fill(PASSWORD)
        press(page.get_by_role("dialog"), "Acrescentar", exact=True)
        expect(page.get_by_label(f"O que {EVA} pode fazer")).to_have_value("work")
        day.look(page)
        page.keyboard.press("Escape")
        press(page, "Novo museu")
        page.get_by_label("Nome do museu").fill(MUSEUM)
        press(page, "Criar")
        expect(page.get_by_text("Largue aqui as caixas")).to_be_visible()
        day.look(page)
    return page


def bring_crates(day: Day, page: Page, crates: Path) -> None:
    files = sorted(crates.glob("*/*.png"))
    with day.step(ANA, "chooses the folder of all crates; server killed while they arrive") as seen:
        with page.expect_file_chooser() as chooser:
            press(page, "Escolher uma pasta")
        chooser.value.set_files(crates)
        day.look(page)
        press(page.get_by_role("dialog"), "Acrescentar", exact=True)
        arrived = crates_arrived(day)
        wait(page, lambda: arrived() > len(files) / 3)
        day.kill()
        before = arrived()
        expect(page.get_by_text("A ligação perdeu-se")).to_be_visible()
        day.look(page)
        day.server.start()
        page.locator(".job").wait_for(timeout=LONG)
        seen.append(f"{before:,} of {len(files):,} files were there when it was killed")
    with day.step(ANA, "waits until they are in the catalogue") as seen:
        seen.append(end_of_job(page))
        tiles = museum_of(page)["tiles"]
        assert tiles == len(files), (tiles, len(files))
        seen.append(f"all {tiles:,} tiles are there")
        day.look(page)
        day.picture(page, "museum-crates")


def crates_arrived(day: Day) -> Callable[[], int]:
    """Return a function that counts the pictures in the crates of the museum."""
    folder = Path(day.server.command[day.server.command.index("serve") + 1])
    return lambda: sum(1 for _ in folder.glob("*/crates/*/*.png"))


def sort(day: Day, page: Page, meanwhile: Callable[[], None] = lambda: None) -> None:
    with day.step(ANA, "has the tiles sorted into panels") as seen:
        page.get_by_role("tab", name="Painéis").click()
        press(page, "Separar")
        meanwhile()
        seen.append(end_of_job(page))
        museum = museum_of(page)
        seen.append(f"{museum['panels']} panels, {museum['states'].get('stray', 0):,} strays")


def search(day: Day, page: Page) -> None:
    with day.step(EVA, "looks for tiles while the server works") as seen:
        page.keyboard.press("/")
        taken = []
        for words in ("a1", "a10", "a100"):
            began = time.perf_counter()
            with page.expect_response(
                lambda reply, words=words: f"words={words}&" in f"{reply.url}&"
            ):
                page.get_by_role("searchbox").fill(words)
            taken.append(time.perf_counter() - began)
        seen.append(f"answered within {max(taken):.2f} s")
        page.locator(".tile-cell").first.wait_for()
        page.get_by_role("searchbox").fill("")
        day.look(page)


def solve(day: Day, page: Page, *, kill: bool) -> None:
    with day.step(ANA, "has the panels put together" + ", server killed" * kill) as seen:
        press(page, "Montar painéis")
        dialog = page.get_by_role("dialog")
        dialog.locator("select").select_option("fast")
        press(dialog, "Resolver")
        if kill:
            wait(page, lambda: len(solved_panels(page)) >= 2)
            before = solved_panels(page)
            day.kill()
            day.server.start()
            failed = page.locator(".job .failure")
            expect(failed).to_be_visible()
            seen.append(f"{len(before)} panels were done when it was killed")
            day.look(page)
            assert before.items() <= solved_panels(page).items()  # one more may have been done
            press(page.locator(".job"), "Tentar de novo")
        seen.append(end_of_job(page))
        panels = solved_panels(page)
        if kill:
            assert before.items() <= panels.items()
        seen.append(f"{len(panels)} panels lie on tables")
        day.look(page)


def solved_panels(page: Page) -> dict[str, float]:
    """Return how sure each panel is that is put together."""
    found = ask(page, f"/museums/{page.evaluate(ID)}/panels?state=solved&count=500")["panels"]
    return {each["name"]: each["confidence"] for each in found}


# At noon


def work_together(day: Day, ana: Page, eva: Page) -> str:
    """Let both change one panel, with the server killed right after; return its project."""
    with day.step(f"{ANA} and {EVA}", "open one panel and change it; server killed") as seen:
        ana.get_by_role("tab", name="Painéis").click()
        ana.locator(".panel-open").first.click()
        ana.locator("canvas.table").wait_for()
        eva.goto(ana.url)
        expect(eva.get_by_role("button", name=f"{ANA} está aqui")).to_be_visible()
        project = ana.url.split("project=")[1]
        chosen = ""
        for page, keys in ((ana, "rl"), (eva, "r")):
            chosen = choose_tile(page, unlike=chosen)
            for key in keys:
                with page.expect_response(lambda reply: "/edits" in reply.url and reply.ok):
                    page.keyboard.press(key)
        acknowledged = ask(ana, f"/projects/{project}")["state"]
        day.kill()
        day.server.start()
        kept = ask(ana, f"/projects/{project}")["state"]
        assert kept["board"] == acknowledged["board"]
        assert kept["revision"] == acknowledged["revision"]
        seen.append(f"revision {kept['revision']} of the board, nothing lost")
        expect(eva.locator(".cursor-of", has_text=ANA)).to_be_visible()
        for page in (ana, eva):
            press(page, "Desfazer")
        wait(eva, lambda: ask(eva, f"/projects/{project}")["state"]["board"]["locked"] == [])
        day.look(eva)
        eva.get_by_role("tab", name="Histórico").click()
        day.look(eva)
        day.picture(eva, "museum-table")
    return project


def choose_tile(page: Page, unlike: str) -> str:
    """Click places of the table until a tile is chosen that is not that one; return its number."""
    box = page.locator("canvas.table").bounding_box()
    assert box is not None
    number = page.locator(".tile-part h2")
    for x, y in product(SHARES, SHARES):
        page.mouse.click(box["x"] + box["width"] * x, box["y"] + box["height"] * y)
        page.wait_for_timeout(500)
        if number.is_visible() and number.inner_text() != unlike:
            return number.inner_text()
    raise SystemExit("no tile was found on the table")


def review(day: Day, page: Page, project: str) -> dict:
    with day.step(EVA, "judges doubtful joints, locks what is sure, writes a note") as seen:
        judged = 0
        tab = page.get_by_role("tab", name="Revisão")
        if tab.is_visible():
            tab.click()
            day.look(page)
            accept = page.locator(".review").get_by_role("button", name="Aceitar")
            while judged < REVIEWED and accept.is_visible():
                with page.expect_response(lambda reply: "/edits" in reply.url and reply.ok):
                    accept.click()
                judged += 1
            sure = page.locator(".review").get_by_role("button", name="segur")
            if sure.is_enabled():
                with page.expect_response(lambda reply: "/edits" in reply.url and reply.ok):
                    sure.click()
        page.get_by_role("tab", name="Azulejo").click()
        page.get_by_label("Nota nova").fill("Vidrado gasto na margem")
        press(page, "Acrescentar nota")
        expect(page.locator(".note", has_text="gasto")).to_contain_text(EVA)
        board = ask(page, f"/projects/{project}")["state"]["board"]
        seen.append(f"{judged} joints accepted, {len(board['locked'])} tiles locked")
        day.look(page)
    return board


def share(day: Day, page: Page) -> None:
    with day.step(ANA, "sends a colleague a link, and withdraws it"):
        press(page, "Partilhar")
        page.get_by_label("Para quem").fill("Lisboa")
        page.keyboard.press("Enter")
        address = page.get_by_label("Endereço da ligação").input_value()
        day.look(page)
        guest = day.arrive(390, None, "")
        guest.goto(address)
        expect(guest.locator("canvas.table")).to_be_visible()
        day.look(guest)
        press(page, "Retirar a ligação de Lisboa")
        guest.reload()
        expect(guest.locator("canvas.table")).to_be_hidden()
        guest.context.close()
        page.keyboard.press("Escape")
        expect(page.get_by_role("dialog")).to_be_hidden()


# In the afternoon


def work_on_a_phone(day: Day, museum: str) -> None:
    with day.step(EVA, "with a phone: what fits a stray, and two strays into a new panel") as seen:
        page = day.arrive(390, EVA, f"#museum={museum}&view=tiles&state=stray", has_touch=True)
        cells = page.locator(".tile-cell")
        cells.first.wait_for()
        cells.first.tap()
        side = page.locator(".museum-side")
        press(side, "À direita")
        began = time.perf_counter()
        side.locator(".fit-card").first.wait_for()
        seen.append(f"fits after {time.perf_counter() - began:.1f} s")
        day.look(page)
        day.picture(page, "museum-phone")
        press(side, "Fechar")
        press(page, "Escolher vários")
        for which in (0, 1):
            cells.nth(which).tap()
        press(page, "Mudar para um painel")
        page.get_by_label("Nome do painel").fill("Escada")
        press(page.get_by_role("dialog"), "Mudar")
        expect(page.get_by_text("2 azulejos estão agora no painel Escada.")).to_be_visible()
        page.context.close()


def show_tiles(day: Day, page: Page) -> None:
    """Look at the list of tiles with one chosen, and at the patterns."""
    page.goto(f"{page.url.split('#')[0]}#museum={page.evaluate(ID)}&view=tiles")
    page.get_by_role("searchbox").fill("01")
    page.wait_for_timeout(2000)
    page.locator(".tile-cell").nth(3).click()
    press(page.locator(".museum-side"), "À direita")
    page.locator(".fit-card").first.wait_for()
    page.wait_for_timeout(1500)
    day.look(page)
    day.picture(page, "museum-tiles")
    page.get_by_role("tab", name="Padrões").click()
    day.look(page)


def drop_photographs(day: Day, page: Page, later: Path) -> None:
    pictures = sorted(later.glob("*/*.png"))
    tiles = [cv2.resize(read_picture(each), (160, 160)) for each in pictures]
    files = []
    for start in range(0, len(tiles), TOGETHER):
        some = tiles[start : start + TOGETHER]
        scene = render_scene(SCENES["dark cloth"], some, PHOTOGRAPH, start)
        bytes_of = cv2.imencode(".jpg", scene.picture[..., ::-1])[1].tobytes()
        name = f"mesa_{start // TOGETHER + 1}.jpg"
        files.append([name, base64.b64encode(bytes_of).decode()])
    with day.step(ANA, f"drops {len(files)} photographs of {len(tiles)} tiles on a table") as seen:
        before = museum_of(page)["tiles"]
        page.get_by_role("tab", name="Caixas").click()
        page.evaluate(DROP, files)
        dialog = page.get_by_role("dialog")
        dialog.get_by_label("Caixa").fill("13")
        dialog.locator("input[value=photographs]").check()
        day.look(page)
        press(dialog, "Acrescentar", exact=True)
        seen.append(end_of_job(page))
        found = museum_of(page)["tiles"] - before
        seen.append(f"{found} tiles found")
        assert FOUND * len(tiles) <= found <= len(tiles), found


# In the evening


def report(day: Day, page: Page, tiles: int) -> None:
    with day.step(ANA, "reads the report, prints it and takes it as PDF") as seen:
        page.get_by_role("tab", name="Relatório").click()
        expect(page.get_by_role("heading", name=f"Relatório de {MUSEUM}")).to_be_visible()
        day.look(page)
        day.picture(page, "museum-report")
        with page.expect_download() as download:
            page.get_by_role("link", name="PDF").click()
        written = PdfReader(download.value.path())
        printed = PdfReader(io.BytesIO(page.pdf(format="A4")))
        shown = f"{tiles:,}".replace(",", " ") if tiles >= 10_000 else str(tiles)
        for pages in (written.pages, printed.pages):
            words = " ".join(each.extract_text() for each in pages)
            plain = "".join(words.split())
            assert "".join(shown.split()) in plain.replace(".", ""), words[:400]
            assert "azulejos" in words
        seen.append(f"{len(written.pages)} pages as PDF, {len(printed.pages)} printed")


def walk(day: Day, made: Path) -> int:
    ana = open_the_museum(day)
    bring_crates(day, ana, made / "crates")
    museum = ana.evaluate(ID)
    eva = day.arrive(1024, EVA, f"#museum={museum}&view=tiles")
    sort(day, ana, meanwhile=lambda: search(day, eva))
    solve(day, ana, kill=True)
    day.picture(ana, "museum-panels")
    project = work_together(day, ana, eva)
    laid = review(day, eva, project)
    share(day, ana)
    work_on_a_phone(day, museum)
    ana.goto(f"{day.server.address}/#museum={museum}&view=crates")
    drop_photographs(day, ana, made / "later")
    sort(day, ana)
    solve(day, ana, kill=False)
    assert ask(ana, f"/projects/{project}")["state"]["board"] == laid, "a table was changed"
    assert ask(ana, f"/museums/{museum}/panels?words=escada")["total"] == 1
    show_tiles(day, ana)
    tiles = museum_of(ana)["tiles"]
    report(day, ana, tiles)
    return tiles


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--panels", type=int, default=66)
    parser.add_argument("--crates", type=Path, help="painted before")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        made = given.crates or home / "made"
        if not made.exists():
            paint = ["collection", "practice", "-o", str(made), "--panels", str(given.panels)]
            subprocess.run([sys.executable, "-m", "azulejar", *paint], check=True)
        (home / "museums").mkdir()
        accounts = Accounts(home / "museums")
        accounts.add(ANA, Role.MANAGE, PASSWORD)
        accounts.close()
        load = os.getloadavg()[0]
        with ServerProcess(home / "museums") as server, chromium() as browser:
            day = Day(server, browser, given.write)
            tiles = walk(day, made)
    if day.faults:
        raise SystemExit("\n".join(day.faults))
    if given.write:
        write_page(
            "day.md",
            "# A day in a museum",
            origin().replace(f" --crates {given.crates}", ""),
            f"Two people in headless Chromium, in Portuguese, and a museum of {tiles:,} painted "
            f"tiles. Each of {day.views // len(WIDTHS)} views fits a window 1440, 1024 and 390 px "
            f"wide and breaks no rule of axe, light or dark; no page threw an error. The server "
            f"was killed {day.killed} times (SIGKILL), and nothing that it had acknowledged was "
            "lost.",
            f"Load of the machine at the beginning: {load:.1f}, without this run; beyond "
            f"{os.cpu_count()}, times are too long.",
            table(["who", "does", "seen", "seconds"], day.rows),
            f"Panels are put together with the fast search. All {given.panels} show one painted "
            "scene in other colours and with the same frame, so that two in like colours may be "
            "taken for one; how well panels are told apart is [measured on pictures](museum.md). "
            "What the page says is given as it stood there.",
        )


if __name__ == "__main__":
    main()
