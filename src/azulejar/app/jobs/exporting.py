"""Export: files to download."""

import re
import tempfile
import unicodedata
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from azulejar.app.convert import framed_assembly
from azulejar.app.insight import scored
from azulejar.app.jobs.archive import write_folder, write_project
from azulejar.app.jobs.bench import Bench
from azulejar.app.jobs.result import Result
from azulejar.app.schemas import LOOSE, Export, Tile
from azulejar.core.assembly import Assembly
from azulejar.core.solution import Solution
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import Originals
from azulejar.imaging.layout import Layout, before_and_after, boxes_of, fitting_size
from azulejar.imaging.render import LONGEST_SIDE, render
from azulejar.imaging.streaming import render_to_file
from azulejar.judging.confidence import tile_confidence
from azulejar.outputs.iiif import folder_address, write_iiif
from azulejar.outputs.placement import write_placement
from azulejar.outputs.plan.document import write_plan
from azulejar.outputs.plan.sheets import Scale
from azulejar.outputs.report import write_report
from azulejar.version import __version__

BEFORE_AFTER_SIDE = 4000
WHOLE = ("placement", "solution", "project")  # what holds all panels
SUFFIX = {
    "placement": ".csv",
    "solution": ".json",
    "plan": ".pdf",
    "manifest": ".zip",
    "report": ".html",
    "project": ".zip",
}


def work(bench: Bench, wish: Export) -> Result:
    """Write the file that is wished for into the project's exports."""
    bench.tell.step("drawing")
    path = bench.folder / "exports" / _name(bench, wish)
    if wish.what == "project":
        write_project(path, bench.folder, bench.fraction)
    else:
        WRITERS[wish.what](_Exhibit.of(bench, wish), path, wish)
    return Result(download=path.name)


@dataclass(frozen=True)
class _Exhibit:
    """The tiles of what is exported, in the order of the library, and how they lie."""

    bench: Bench
    tiles: list[Tile]
    assembly: Assembly

    @classmethod
    def of(cls, bench: Bench, wish: Export) -> "_Exhibit":
        """One panel, or all of them; the tray belongs to the only panel there is."""
        lies = {each.tile: each.panel for each in bench.board.placed}
        used = sorted({panel for panel in lies.values() if panel != LOOSE})
        panels = used if wish.what in WHOLE else [wish.panel]
        if not set(panels) & set(used):
            raise AzulejarError("No tile lies in this panel.", "Place one tile at least.")
        shown = {*panels, LOOSE} if set(used) <= set(panels) else set(panels)
        tiles = [tile for tile in bench.tiles if lies.get(tile.tile, LOOSE) in shown]
        return cls(bench, tiles, framed_assembly(bench.board, tiles, panels))

    @cached_property
    def solution(self) -> Solution:
        """With the confidence of each tile, where it was scored."""
        records = [
            Record(inventory=tile.number, crate=tile.crate, code=tile.code, note=tile.note)
            for tile in self.tiles
        ]
        settings = self.bench.store.settings()
        sure = self._confidence()
        return Solution.of(
            self.assembly,
            tuple(tile.file for tile in self.tiles),
            sure,
            records,
            folder=str(self.bench.folder / "tiles"),
            upright=settings.upright,
            measure=None if sure is None else settings.measure,
            version=__version__,
        )

    @property
    def originals(self) -> Originals:
        return Originals(self.bench.folder / "tiles", tuple(tile.file for tile in self.tiles))

    def _confidence(self) -> np.ndarray | None:
        found = scored(self.bench.store, self.tiles)
        if found is None or len(found.compatibility) < len(self.tiles):
            return None
        return tile_confidence(found.compatibility, self.assembly, found.rivals)


def _picture(shown: _Exhibit, path: Path, wish: Export) -> None:
    originals, assembly = shown.originals, shown.assembly
    boxes, longest = boxes_of(assembly), LONGEST_SIDE
    if wish.before_after:
        (assembly, boxes), longest = before_and_after(assembly), BEFORE_AFTER_SIDE
    size, count = fitting_size(boxes, originals.side, longest), len(shown.tiles)
    render_to_file(
        path,
        lambda tile, side: originals(tile % count, side),
        assembly,
        Layout.of(boxes, size, joints=wish.joints),
        profile=originals.profile,
        on_progress=shown.bench.fraction,
    )


def _placement(shown: _Exhibit, path: Path, wish: Export) -> None:
    write_placement(path, shown.solution)


def _solution(shown: _Exhibit, path: Path, wish: Export) -> None:
    shown.solution.save(path)


def _plan(shown: _Exhibit, path: Path, wish: Export) -> None:
    scale = Scale(wish.tile_cm, float(wish.scale.removeprefix("1:")), wish.paper)
    if not scale.ratio:
        raise AzulejarError(f"{wish.scale} is no scale.", "Give one such as 1:5.")
    name, tell = shown.bench.store.name, shown.bench.fraction
    write_plan(path, shown.solution, shown.originals, scale, tell, title=name)


def _manifest(shown: _Exhibit, path: Path, wish: Export) -> None:
    originals, address = shown.originals, folder_address(wish.base_url)
    layouts = [
        Layout.of((box,), fitting_size((box,), originals.side, LONGEST_SIDE))
        for box in boxes_of(shown.assembly)
    ]
    with tempfile.TemporaryDirectory(dir=shown.bench.folder / "work") as temporary:
        folder = Path(temporary) / "iiif"
        write_iiif(
            folder,
            shown.solution,
            originals,
            layouts,
            address,
            title=shown.bench.store.name,
            on_progress=shown.bench.fraction,
        )
        write_folder(path, folder)


def _report(shown: _Exhibit, path: Path, wish: Export) -> None:
    bench = shown.bench
    pictures = bench.pictures
    scores = bench.scores(bench.store.settings())
    at = {tile.tile: i for i, tile in enumerate(bench.tiles)}
    which = [at[tile.tile] for tile in shown.tiles]
    mine = pictures.take(which)
    bench.tell.step("drawing")
    write_report(
        path,
        tiles=mine,
        solution=shown.solution,
        compatibility=scores.take(which),
        history=[],
        panel_picture=render(mine, shown.assembly),
        title=bench.store.name,
    )


WRITERS = {
    "picture": _picture,
    "placement": _placement,
    "solution": _solution,
    "plan": _plan,
    "manifest": _manifest,
    "report": _report,
}


def _name(bench: Bench, wish: Export) -> str:
    """Of the file, in letters that every system takes."""
    plain = unicodedata.normalize("NFKD", bench.store.name).encode("ascii", "ignore").decode()
    words = [re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-")[:60] or "panel", wish.what]
    if wish.what not in WHOLE and len(bench.board.panels) > 1:
        words.append(str(wish.panel + 1))
    suffix = {"png": ".png", "tiff": ".tif"}[wish.format]
    return "-".join(words) + SUFFIX.get(wish.what, suffix)
