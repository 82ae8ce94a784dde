"""Export: write a file to download."""

import re
import tempfile
import unicodedata
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.app.jobs.context import JobContext
from azulejar.app.jobs.job_result import JobResult
from azulejar.app.judging import ProjectScores, load_project_scores
from azulejar.app.projects.board_file import REFERENCES
from azulejar.app.projects.convert import panel_assembly, panel_frame
from azulejar.app.schemas.boards import LOOSE
from azulejar.app.schemas.jobs import ExportRequest
from azulejar.app.schemas.tiles import ProjectTile
from azulejar.app.uploads.zips import zip_folder, zip_project
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.halves import Halved
from azulejar.core.solution import Solution
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import halves_in
from azulejar.imaging.layout import Layout, before_and_after, boxes_of, fitting_size
from azulejar.imaging.originals import Originals
from azulejar.imaging.picture import read_picture
from azulejar.imaging.render import LONGEST_SIDE, render
from azulejar.imaging.streaming import render_to_file
from azulejar.judging.confidence import joint_confidence, tile_confidence
from azulejar.judging.evidence import Rivals
from azulejar.knowledge import inventory
from azulejar.knowledge.headings import READ
from azulejar.knowledge.inventory import records_in
from azulejar.outputs.iiif import folder_address, write_iiif
from azulejar.outputs.joint_list import write_joint_list
from azulejar.outputs.joint_map import JudgedAssembly
from azulejar.outputs.language import Words
from azulejar.outputs.lido import write_lido
from azulejar.outputs.linked_art import write_linked_art
from azulejar.outputs.placement import write_placement
from azulejar.outputs.plan.document import write_plan
from azulejar.outputs.plan.sheets import PlanScale
from azulejar.outputs.records import Provenance
from azulejar.outputs.report import ReferenceShown, write_report
from azulejar.outputs.spreadsheets import ListStyle, write_spreadsheet
from azulejar.outputs.wording import describe_guide, describe_part
from azulejar.reference.shown_grid import ShownGrid
from azulejar.version import __version__

BEFORE_AFTER_SIDE = 4000
WHOLE = ("placement", "inventory", "solution", "project")  # files that hold all panels
ALWAYS = ("file", "inventory", "crate", "code", "thickness", "note")  # columns of tiles.csv
SUFFIX = {
    "placement": ".csv",
    "inventory": ".csv",
    "joints": ".csv",
    "solution": ".json",
    "plan": ".pdf",
    "manifest": ".zip",
    "report": ".html",
    "project": ".zip",
}


def run_export(context: JobContext, request: ExportRequest) -> JobResult:
    """Write the requested file into the project's exports."""
    context.reporter.step("drawing")
    path = context.folder / "exports" / _name(context, request)
    if request.what == "project":
        zip_project(path, context.folder, context.fraction)
    elif request.what == "inventory":
        _inventory(context, path, request)
    else:
        WRITERS[request.what](_Selection.of(context, request), path, request)
    return JobResult(download=path.name)


@dataclass(frozen=True)
class _Selection:
    """The tiles to export, in the order of the library, and their assembly."""

    context: JobContext
    tiles: list[ProjectTile]
    assembly: Assembly

    @classmethod
    def of(cls, context: JobContext, request: ExportRequest) -> "_Selection":
        """Select one panel or all; the tray is included with the only panel there is."""
        lies = {each.tile: each.panel for each in context.board.placed}
        used = sorted({panel for panel in lies.values() if panel != LOOSE})
        panels = used if request.what in WHOLE else [request.panel]
        if not set(panels) & set(used):
            raise AzulejarError(
                "panel-empty", "No tile lies in this panel.", "Place one tile at least."
            )
        shown = {*panels, LOOSE} if set(used) <= set(panels) else set(panels)
        tiles = [tile for tile in context.tiles if lies.get(tile.tile, LOOSE) in shown]
        return cls(context, tiles, panel_assembly(context.board, tiles, panels))

    @cached_property
    def solution(self) -> Solution:
        """The solution, with the confidence of each tile if the edges have been scored."""
        files = tuple(tile.file for tile in self.tiles)
        known = records_in(self.context.folder / "tiles", files)
        records = [t.record(record) for t, record in zip(self.tiles, known, strict=True)]
        settings = self.context.store.settings()
        sure = self._confidence()
        return Solution.of(
            self.assembly,
            files,
            sure,
            records,
            self.halved,
            folder=str(self.context.folder / "tiles"),
            upright=settings.upright,
            measure=None if self._known is None else self._known.compatibility.measure,
            version=__version__,
        )

    @cached_property
    def halved(self) -> Halved | None:
        """Which tiles are half as high, and half as wide [n, 2]; None if all are whole."""
        files = [tile.file for tile in self.tiles]
        return halves_in(self.context.folder / "tiles", files)[0]

    @property
    def originals(self) -> Originals:
        return Originals(self.context.folder / "tiles", tuple(tile.file for tile in self.tiles))

    def scored(self) -> tuple[TileSet, Compatibility, Rivals]:
        """Return the tiles, the scores that the table shows, and their rivals.

        Tiles that have no scores yet are scored first.
        """
        at = {tile.tile: i for i, tile in enumerate(self.context.tiles)}
        which = [at[tile.tile] for tile in self.tiles]
        mine = self.context.pictures.take(which)
        if self._known is not None:
            return mine, self._known.compatibility, self._known.rivals
        scores = self.context.scores(self.context.store.settings()).take(which)
        copies = self.context.copies
        return mine, scores, Rivals.of(scores, None if copies is None else copies[which])

    def judged(self, joints: NDArray[np.int32]) -> NDArray[np.bool_]:
        """Return which joints people accepted, or fixed by locking both tiles [m]."""
        board = self.context.board
        number = {tile.tile: i for i, tile in enumerate(self.tiles)}
        locked = [number[tile] for tile in board.locked if tile in number]
        accepted = {
            frozenset((4 * number[pair.tile] + pair.side, 4 * number[pair.other] + pair.other_side))
            for pair in board.accepted
            if pair.tile in number and pair.other in number
        }
        named = np.array([frozenset(joint) in accepted for joint in joints.tolist()], bool)
        return np.isin(joints // 4, locked).all(axis=1) | named

    @cached_property
    def _known(self) -> ProjectScores | None:
        """The scores that the table shows, if all of the tiles were scored."""
        found = load_project_scores(self.context.store, self.tiles)
        return None if found is None else found.in_order(self.tiles)

    def _confidence(self) -> np.ndarray | None:
        known = self._known
        if known is None:
            return None
        return tile_confidence(known.compatibility, self.assembly, known.rivals)


def _picture(shown: _Selection, path: Path, request: ExportRequest) -> None:
    originals, assembly = shown.originals, shown.assembly
    boxes, longest = boxes_of(assembly, shown.halved), LONGEST_SIDE
    if request.before_after:
        (assembly, boxes), longest = before_and_after(assembly, shown.halved), BEFORE_AFTER_SIDE
    size, count = fitting_size(boxes, originals.side, longest), len(shown.tiles)
    render_to_file(
        path,
        lambda tile, side: originals(tile % count, side),
        assembly,
        Layout.of(boxes, size, joints=request.joints),
        profile=originals.profile,
        on_progress=shown.context.fraction,
    )


def _placement(shown: _Selection, path: Path, request: ExportRequest) -> None:
    write_placement(path, shown.solution, ListStyle(request.language, request.rows_from))


def _inventory(context: JobContext, path: Path, request: ExportRequest) -> None:
    """Write the records of all tiles as a tiles.csv that can be imported again."""
    known = records_in(context.folder / "tiles", [tile.file for tile in context.tiles])
    lines = [
        inventory.cells_of(tile.file, tile.record(record))
        for tile, record in zip(context.tiles, known, strict=True)
    ]
    used = [name for name in READ if name in ALWAYS or any(line[name] != "" for line in lines)]
    write_spreadsheet(
        path, used, [[line[name] for name in used] for line in lines], ListStyle(request.language)
    )


def _joints(shown: _Selection, path: Path, request: ExportRequest) -> None:
    mine, scores, rivals = shown.scored()
    joints, probability = joint_confidence(scores, shown.assembly, rivals)
    write_joint_list(
        path,
        mine.numbers,
        joints,
        probability,
        by=request.by.strip() or f"azulejar {__version__}",
        day=date.today().isoformat(),
        least=request.least,
        judged=shown.judged(joints),
        style=ListStyle(request.language),
    )


def _record(shown: _Selection, path: Path, request: ExportRequest) -> None:
    about = Provenance(
        shown.context.store.name,
        folder_address(request.base_url),
        date.today().isoformat(),
        request.by.strip() or None,
        request.museum.strip() or None,
    )
    write = write_lido if request.standard == "lido" else write_linked_art
    write(path, shown.solution, 0, about)


def _solution(shown: _Selection, path: Path, request: ExportRequest) -> None:
    shown.solution.save(path)


def _plan(shown: _Selection, path: Path, request: ExportRequest) -> None:
    scale = PlanScale(request.tile_cm, float(request.scale.removeprefix("1:")), request.paper)
    if not scale.ratio:
        raise AzulejarError(
            "scale-unusable",
            "{scale} is no scale.",
            "Give one such as 1:5.",
            scale=request.scale,
        )
    name, tell = shown.context.store.name, shown.context.fraction
    write_plan(
        path,
        shown.solution,
        shown.originals,
        scale,
        tell,
        title=name,
        language=request.language,
        rows_from=request.rows_from,
    )


def _manifest(shown: _Selection, path: Path, request: ExportRequest) -> None:
    originals, address = shown.originals, folder_address(request.base_url)
    layouts = [
        Layout.of((box,), fitting_size((box,), originals.side, LONGEST_SIDE))
        for box in boxes_of(shown.assembly, shown.halved)
    ]
    with tempfile.TemporaryDirectory(dir=shown.context.folder / "work") as temporary:
        folder = Path(temporary) / "iiif"
        write_iiif(
            folder,
            shown.solution,
            originals,
            layouts,
            address,
            title=shown.context.store.name,
            each_tile=request.each_tile,
            on_progress=shown.context.fraction,
        )
        zip_folder(path, folder)


def _report(shown: _Selection, path: Path, request: ExportRequest) -> None:
    context, say = shown.context, Words(request.language)
    mine, scores, rivals = shown.scored()
    context.reporter.step("drawing")
    judged = JudgedAssembly.of(mine, shown.assembly, scores, rivals)
    part = judged.loose_part
    write_report(
        path,
        judged,
        shown.solution,
        history=[],
        panel_picture=render(mine, shown.assembly),
        title=context.store.name,
        remarks=[] if part is None else [describe_part(part, shown.assembly, say)],
        reference=_old_picture(context, request.panel, say),
        say=say,
    )


def _old_picture(context: JobContext, panel: int, say: Words) -> ReferenceShown | None:
    """Return the old picture of a panel, straightened if it is laid over the panel."""
    known = next((each for each in context.board.references if each.panel == panel), None)
    path = context.folder / REFERENCES / str(known and known.file)
    if known is None or not path.is_file():
        return None
    picture, frame = read_picture(path), panel_frame(context.board, panel)
    if known.corners is not None and frame is not None:
        corners = np.array(known.corners) * picture.shape[1::-1]
        picture = ShownGrid.between(corners, frame.rows, frame.cols).straighten(picture)
    return ReferenceShown(describe_guide(known.believed, say), picture)


WRITERS = {
    "picture": _picture,
    "placement": _placement,
    "joints": _joints,
    "record": _record,
    "solution": _solution,
    "plan": _plan,
    "manifest": _manifest,
    "report": _report,
}


def _name(context: JobContext, request: ExportRequest) -> str:
    """Return the name of the file, in letters that every system accepts."""
    plain = unicodedata.normalize("NFKD", context.store.name).encode("ascii", "ignore").decode()
    words = [re.sub(r"[^A-Za-z0-9]+", "-", plain).strip("-")[:60] or "panel", request.what]
    if request.what not in WHOLE and len(context.board.panels) > 1:
        words.append(str(request.panel + 1))
    suffix = {"png": ".png", "tiff": ".tif"}[request.format]
    if request.what == "record":
        words[1], suffix = request.standard, ".xml" if request.standard == "lido" else ".json"
    return "-".join(words) + SUFFIX.get(request.what, suffix)
