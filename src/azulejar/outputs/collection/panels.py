"""The folder of a solved panel of a collection: that of a solve, with a small picture."""

import json
import os
import shutil
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.collection.solve import SolvedGroup
from azulejar.collection.sort_results import Group, folder_name
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.collection.storage.pictures import replaced_pictures
from azulejar.core.assembly import Assembly
from azulejar.core.solution import Solution
from azulejar.core.tiles import TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.layout import Layout, boxes_of, fitting_size
from azulejar.imaging.render import render_whole
from azulejar.judging.confidence import joint_confidence
from azulejar.judging.evidence import Rivals
from azulejar.judging.seams import LoosePart, find_loose_part
from azulejar.outputs.collection.tile_pictures import CollectionPictures, describe_vanished
from azulejar.outputs.mosaics import tile_grid
from azulejar.outputs.result import MARK as RESULT
from azulejar.outputs.result import write_result
from azulejar.outputs.wording import TRUST, describe_part, trust_of
from azulejar.patterns.laying import find_copies
from azulejar.solvers import get_preset
from azulejar.system.atomic import replacing
from azulejar.system.reading import parse_json

PANELS = "panels"
MARK = "panel.json"
FORMAT = "azulejar-collection-panel/1"
LONGEST = 3000  # pixels of panel.png: a thousand of them must fit on a disk
SMALL_NAME = "small.webp"
SMALL = 900
DOUBTFUL = 0.5  # confidence of a tile's place below which it is more likely wrong
# What the mark repeats of the solution, so that a thousand panels are listed at once.
SUMMARY = ("rows", "cols", "tiles", "within", "confidence", "doubtful", "crates")
SEAM = ("loose", "mirrored")  # in the mark too, but unknown to earlier versions


@dataclass(frozen=True)
class SolvedPanel:
    """What the pages show of a solved panel; ``rows`` and ``cols`` are of its likely outline.

    ``within`` of its ``tiles`` lie inside the outline. ``confidence`` is the mean over its tiles;
    ``doubtful`` counts those below one half; ``crates`` counts tiles by crate; ``outdated`` if it
    was solved of other tiles or pictures than the group has now; ``vanished`` counts the tiles
    whose pictures were no longer there; ``loose`` the tiles of a part that mostly doubtful joints
    connect, or, if ``mirrored``, a seam as between two panels.
    """

    name: str
    folder: str
    rows: int
    cols: int
    tiles: int
    within: int
    confidence: float
    doubtful: int
    crates: dict[str, int]
    outdated: bool
    vanished: int
    loose: int = 0
    mirrored: bool = False

    @property
    def places(self) -> int:
        return self.rows * self.cols

    @property
    def holes(self) -> int:
        return self.places - self.within

    @property
    def outside(self) -> int:
        """Tiles beyond the outline, which likely lie wrong."""
        return self.tiles - self.within

    @property
    def complete(self) -> float:
        """The share of its places that have a tile."""
        return self.within / self.places

    @property
    def merit(self) -> float:
        """How fine it is: sure, complete and large; 0 if a part of it is loose."""
        return 0.0 if self.loose else self.confidence * self.complete * float(np.log1p(self.tiles))

    @property
    def trust(self) -> str:
        """The key of ``TRUST``; a panel with a loose part is always to be checked."""
        return "check" if self.loose else trust_of(self.confidence)


def count_shares(
    tiles: int, groups: Iterable[Group], panels: Iterable[SolvedPanel], strays: int
) -> dict[str, int]:
    """Count how the ``tiles`` of a collection divide, for the director's reports.

    The keys are those of ``TRUST``, for tiles in panels (one that may hold two is to be checked),
    ``waiting`` to be put together, ``new`` since the last sort, and ``rest``, the strays.
    """
    by_name = {group.name: group for group in groups}
    shares = dict.fromkeys(TRUST, 0)
    for panel in panels:
        group = by_name[panel.name]
        # Tiles that came to a panel since it was put together lie nowhere yet.
        shares["check" if group.apart else panel.trust] += min(panel.tiles, len(group.tiles))
    grouped = sum(len(group.tiles) for group in by_name.values())
    waiting = grouped - sum(shares.values())
    return {**shares, "waiting": waiting, "new": max(0, tiles - grouped - strays), "rest": strays}


def remove_leftovers(home: Path) -> None:
    """Remove half-written files that a killed process left in the folder of all panels."""
    for path in [*home.glob(".*"), *home.glob("panel_*/.*")]:
        if path.name.startswith((".panel_", f".{MARK}.", f".{SMALL_NAME}.", ".index.html.")):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def is_solved(collection: Collection, group: Group, key: str) -> bool:
    """Tell whether the group was solved before with the same ``key``."""
    solved = _read_solved(collection.folder / PANELS / folder_name(group.name))
    return solved is not None and solved[0].get("key") == key


def write_solved_panel(
    collection: Collection, solved: SolvedGroup, preset: str, seed: int
) -> SolvedPanel:
    """Write the folder; its mark is written last, so that a panel cut short is solved again."""
    folder = collection.folder / PANELS / folder_name(solved.group.name)
    (folder / MARK).unlink(missing_ok=True)
    pictures = CollectionPictures(solved.entries, collection.pixels)
    picture = _draw(pictures, solved.assembly)
    tiles = _tiles(collection, solved.entries, pictures.vanished)
    rivals = Rivals.of(solved.compatibility, find_copies(tiles.pixels))
    part = None if rivals.copies is not None else _find_part(tiles, solved, rivals)
    solution = write_result(
        folder,
        tiles,
        replace(solved.compatibility, files=tiles.files),
        solved.assembly,
        history=solved.history,
        overwrite=True,
        title=f"Panel {solved.group.name}",
        panel_picture=picture,
        rivals=rivals,
        remarks=[] if part is None else [describe_part(part, solved.assembly)],
        upright=solved.knowns.upright,
        solver=get_preset(preset).name,
        preset=preset,
        seed=seed,
        seconds=round(solved.seconds, 2),
    )
    _write_small(folder / SMALL_NAME, picture, solved.assembly)
    panel = _panel(solved.group.name, folder, solution, len(pictures.vanished), False, part)
    replaced = replaced_pictures(collection)
    about = {
        "format": FORMAT,
        "name": solved.group.name,
        "key": solved.key,
        "solution": _checksum(folder / RESULT),
        "vanished": pictures.vanished,
        "summary": {name: getattr(panel, name) for name in (*SUMMARY, *SEAM)},
        "inventory": [entry.inventory for entry in solved.entries],
        "part": [] if part is None else [solved.entries[i].inventory for i in part.tiles],
        "pictures": {
            str(entry.number): entry.sha256 for entry in solved.entries if entry.number in replaced
        },
    }
    with replacing(folder / MARK) as temporary:
        temporary.write_text(json.dumps(about, ensure_ascii=False, indent=1) + "\n", "utf-8")
    return panel


def read_panels(collection: Collection, groups: list[Group]) -> list[SolvedPanel]:
    """Return the solved panels among the groups, the finest first."""
    numbers, replaced = collection.inventories(), replaced_pictures(collection)
    found = []
    for group in groups:
        folder = collection.folder / PANELS / folder_name(group.name)
        pictures = {str(tile): replaced[tile] for tile in replaced.keys() & set(group.tiles)}
        own = {numbers[tile] for tile in group.tiles}
        panel = _read_panel(folder, group.name, own, pictures)
        if panel is not None:
            found.append(panel)
    return sorted(found, key=lambda panel: -panel.merit)


def load_panel_solution(collection: Collection, name: str) -> Solution:
    """Return the solution of a panel, by its name."""
    home = collection.folder / PANELS
    folder = home / folder_name(name)
    solved = _read_solved(folder)
    if solved is None:
        raise AzulejarError(
            "panel-not-solved",
            "Panel {name} has not been put together.",
            "Solve it first.",
            name=name,
            folder=str(collection.folder),
        )
    return solved[1]


def doubtful_tiles(collection: Collection, name: str) -> list[str]:
    """Return the inventory numbers of a solved panel's tiles that are more likely wrong."""
    solved = _read_solved(collection.folder / PANELS / folder_name(name))
    return [
        tile.number
        for tile in (solved[1].tiles if solved is not None else ())
        if tile.panel >= 0 and tile.confidence is not None and tile.confidence < DOUBTFUL
    ]


def load_loose_part(collection: Collection, name: str) -> tuple[list[str], bool]:
    """Return the inventory numbers of a solved panel's loose part, and whether it is mirrored."""
    mark = _read_mark(collection.folder / PANELS / folder_name(name)) or {}
    return mark.get("part", []), mark.get("summary", {}).get("mirrored", False)


def renumber_mark(path: Path, name: Callable[[str], str]) -> None:
    """Update the inventory numbers in the mark of a panel.

    The solution itself stays as it is; its numbers are translated when it is read.
    """
    with suppress(OSError, ValueError, KeyError, TypeError, AttributeError, AzulejarError):
        mark = parse_json(path.read_text(encoding="utf-8"))
        names = mark["inventory"]
        known = mark.get("renumbered", {})
        before = {now: then for then, now in known.items()}
        renamed = {before.get(now, now): name(now) for now in names if name(now) != now}
        if not renamed:
            return
        known = {then: now for then, now in (known | renamed).items() if then != now}
        about = {"inventory": [name(now) for now in names], "renumbered": known}
        about |= {"part": [name(now) for now in mark.get("part", [])]}
        with replacing(path) as temporary:
            text = json.dumps(mark | about, ensure_ascii=False, indent=1)
            temporary.write_text(text + "\n", encoding="utf-8")


def likely_outline(lies: NDArray[np.bool_]) -> tuple[slice, slice]:
    """Return the rows and cols of the rectangle that agrees best with where tiles lie [rows, cols].

    The rectangle maximises twice the tiles within, over all tiles and all its places: holes inside
    count against it as tiles outside do. There must be one tile at least.
    """
    rows, cols = lies.shape
    total = lies.sum()
    above = np.pad(np.cumsum(lies, axis=0), ((1, 0), (0, 0)))
    wide = np.arange(cols + 1)[None] - np.arange(cols + 1)[:, None]
    best, found = -1.0, (slice(0, rows), slice(0, cols))
    for top in range(rows):
        for bottom in range(top + 1, rows + 1):
            before = np.pad(np.cumsum(above[bottom] - above[top]), (1, 0))
            within = before[None] - before[:, None]
            agreement = 2 * within / (total + (bottom - top) * np.maximum(wide, 1))
            if agreement.max() > best:
                left, right = np.unravel_index(agreement.argmax(), agreement.shape)
                best = float(agreement.max())
                found = slice(top, bottom), slice(int(left), int(right))
    return found


def _read_panel(
    folder: Path, name: str, own: set[str], pictures: dict[str, str]
) -> SolvedPanel | None:
    """Return the panel of the tiles ``own``; where its mark sums it up, its solution is not read.

    Marks of version 0.6 do not. ``pictures``: checksums of those that were replaced, by number.
    """
    mark = _read_mark(folder)
    if mark is None:
        return None
    vanished = len(mark["vanished"])
    with suppress(KeyError, TypeError):
        summary = {key: mark["summary"][key] for key in SUMMARY}
        outdated = set(mark["inventory"]) != own or mark.get("pictures", {}) != pictures
        summary |= {key: mark["summary"][key] for key in SEAM if key in mark["summary"]}
        return SolvedPanel(name, folder.name, **summary, outdated=outdated, vanished=vanished)
    solved = _read_solved(folder)
    if solved is None:
        return None
    outdated = {tile.number for tile in solved[1].tiles} != own
    return _panel(name, folder, solved[1], vanished, outdated)


def _read_solved(folder: Path) -> tuple[dict, Solution] | None:
    """Return mark and solution of a panel; None if anything is missing or damaged."""
    mark = _read_mark(folder)
    try:
        if mark is None:
            return None
        solution = Solution.load(folder / RESULT)
    except (OSError, ValueError, AzulejarError):
        return None
    renumbered = mark.get("renumbered", {})
    tiles = [
        tile.model_copy(update={"inventory": renumbered[tile.number]})
        if tile.number in renumbered
        else tile
        for tile in solution.tiles
    ]
    return mark, solution.model_copy(update={"tiles": tiles})


def _read_mark(folder: Path) -> dict | None:
    """Return the mark of a panel; None if that, solution or picture are missing or damaged."""
    try:
        mark = parse_json((folder / MARK).read_text(encoding="utf-8"))
        known = isinstance(mark, dict) and mark.get("format") == FORMAT
        if not known or not isinstance(mark.get("vanished"), list):
            return None
        # Marks of version 0.6 have no checksum.
        if "solution" in mark and mark["solution"] != _checksum(folder / RESULT):
            return None
        return mark if (folder / SMALL_NAME).is_file() else None
    except (OSError, ValueError, AzulejarError):
        return None


def _checksum(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest()


def _panel(
    name: str,
    folder: Path,
    solution: Solution,
    vanished: int,
    outdated: bool,
    part: LoosePart | None = None,
) -> SolvedPanel:
    lies = _lies(solution.assembly())
    outline = lies[likely_outline(lies)]
    placed = [tile for tile in solution.tiles if tile.panel >= 0]
    sure = np.array([tile.confidence or 0.0 for tile in placed])
    crates = Counter(tile.crate or "" for tile in solution.tiles)
    return SolvedPanel(
        name,
        folder.name,
        outline.shape[0],
        outline.shape[1],
        len(placed),
        int(outline.sum()),
        float(sure.mean()),
        int((sure < DOUBTFUL).sum()),
        dict(crates.most_common()),
        outdated,
        vanished,
        0 if part is None else len(part),
        part is not None and part.mirrored,
    )


def _find_part(tiles: TileSet, solved: SolvedGroup, rivals: Rivals) -> LoosePart | None:
    joints, confidence = joint_confidence(solved.compatibility, solved.assembly, rivals)
    return find_loose_part(tiles.pixels, solved.assembly, joints, confidence)


def _lies(assembly: Assembly) -> NDArray[np.bool_]:
    """Tell whether a tile lies at each place [rows, cols]."""
    return tile_grid(assembly, 0) >= 0


def _draw(pictures: CollectionPictures, assembly: Assembly) -> NDArray[np.uint8]:
    """Draw the whole panel as uint8 [H, W, 3]."""
    boxes = boxes_of(assembly)
    return render_whole(
        pictures, assembly, Layout.of(boxes, fitting_size(boxes, pictures.side, LONGEST))
    )


def _tiles(collection: Collection, entries: list[Entry], vanished: list[str]) -> TileSet:
    """Return the tiles by the paths of their originals, relative to the folder that holds all."""
    home = Path(os.path.commonpath([entry.path.parent for entry in entries]))
    return TileSet(
        np.array(collection.pixels[[entry.number for entry in entries]]),
        tuple(entry.path.relative_to(home).as_posix() for entry in entries),
        home,
        (describe_vanished(vanished, len(entries)),) if vanished else (),
        tuple(
            replace(entry.record, inventory=entry.inventory, crate=entry.crate) for entry in entries
        ),
    )


def _write_small(path: Path, picture: NDArray[np.uint8], assembly: Assembly) -> None:
    """Write the panel small; empty places are hatched within its outline, transparent beyond."""
    lies = _lies(assembly)
    shown = lies.copy()
    shown[likely_outline(lies)] = True
    size = len(picture) // len(lies)
    alpha = np.where(shown, np.uint8(255), np.uint8(0)).repeat(size, 0).repeat(size, 1)
    image = Image.fromarray(np.dstack([picture, alpha]))
    image.thumbnail((SMALL, SMALL), Image.Resampling.LANCZOS)
    with replacing(path) as temporary:
        image.save(temporary, "WEBP", quality=82)
