"""What every kind of job works with: the project as it was when the job began."""

import json
import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from azulejar.app.jobs.reporter import Reporter
from azulejar.app.projects.convert import in_library_order
from azulejar.app.projects.score_files import (
    guides_of,
    read_copies,
    read_stamp,
    scores_path,
    with_guides,
)
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import Board, Pair
from azulejar.app.schemas.jobs import SolveSettings
from azulejar.app.schemas.tiles import NewProjectTile, ProjectTile
from azulejar.app.uploads.incoming import MAX_FILES
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import Record, TileSet
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import (
    check_one_size,
    halves_in,
    identical_pictures,
    is_plain,
    load_tiles,
)
from azulejar.imaging.orientation import orientation_doubt
from azulejar.imaging.picture import picture_size, write_picture
from azulejar.imaging.tile_shapes import whole_sizes
from azulejar.knowledge import inventory
from azulejar.knowledge.headings import guesses
from azulejar.knowledge.inventory_table import read_lines
from azulejar.system.atomic import replacing
from azulejar.version import __version__

HEADINGS = 5  # that a note names


class Stopped(Exception):  # noqa: N818 - nothing went wrong
    """The user has stopped the job before there was anything to keep."""


class JobContext:
    """The project, its reporter and the stop event of one job.

    ``tiles`` are in the order of the library; ``board`` is as it was when the job began, unless it
    was renewed since; ``began`` is as it was then in any case.
    """

    def __init__(self, store: ProjectStore, reporter: Reporter, stop: threading.Event) -> None:
        self.store, self.reporter, self.stop = store, reporter, stop
        self.folder = store.folder
        self.tiles: list[ProjectTile] = in_library_order(store.tiles())
        state = store.state()
        self.board: Board = state.board
        self.began = self.board
        self.revision = state.revision
        self.copies: NDArray[np.int64] | None = None  # of each tile, known once they are scored

    def renew_board(self) -> None:
        """Reload the board, which people may have changed while edges were scored."""
        self.board = self.store.state().board

    def check_stop(self) -> None:
        """Raise Stopped if the user has stopped the job."""
        if self.stop.is_set():
            raise Stopped

    def fraction(self, done: float) -> None:
        """Report the progress of a step; raise Stopped if the user has stopped the job."""
        self.check_stop()
        self.reporter.fraction(done)

    @cached_property
    def pictures(self) -> TileSet:
        """All tiles at working size, with their records."""
        if not self.tiles:
            raise AzulejarError(
                "project-without-tiles", "The project has no tiles yet.", "Add some first."
            )
        self.reporter.step("reading")
        found = load_tiles(self.folder / "tiles", on_progress=self.fraction, any_shape=True)
        at = {file: i for i, file in enumerate(found.files)}
        gone = [tile.file for tile in self.tiles if tile.file not in at]
        if gone:
            raise AzulejarError(
                "tile-picture-gone",
                "The picture {file} is gone from the project's folder.",
                "Put it back into the folder tiles.",
                file=gone[0],
            )
        mine = found.take([at[tile.file] for tile in self.tiles])
        known = mine.records or (Record(),) * len(mine)
        self._question_headings()
        doubt = orientation_doubt(self.folder / "tiles" / file for file in mine.files)
        if doubt is not None:
            self.reporter.note_error(doubt)
        self._question_copies(mine)
        records = tuple(t.record(record) for record, t in zip(known, self.tiles, strict=True))
        halved, share = halves_in(self.folder / "tiles", mine.files)
        return replace(mine, records=records, halved=halved, half_share=share)

    def check_sizes(self, which: Sequence[int], settings: SolveSettings) -> None:
        """Raise if tiles of one panel have two sizes, unless people have said that all are of one.

        Some may be of another panel, or not cropped.
        """
        if settings.one_size:
            return
        mine, folder = self.pictures.take(which), self.folder / "tiles"
        files, photos = list(mine.files), [record.photo for record in mine.records]
        sizes = [picture_size(folder / file) for file in files]
        try:
            check_one_size(folder, files, whole_sizes(sizes, mine.halved), photos)
        except AzulejarError as error:
            values = {key: value for key, value in error.values.items() if key != "folder"}
            raise AzulejarError(
                "project-of-two-sizes",
                "The tiles seem to be of two sizes: {small} is {small_size} and {large} is "
                "{large_size}, and no size lies between.",
                "Sort the tiles, which parts the sizes, or say that all are tiles of one size.",
                **values,
            ) from error

    def _question_copies(self, tiles: TileSet) -> None:
        """Report a picture that is there twice, which uploads notice only in equal files."""
        for first, second, *_ in identical_pictures(tiles.pixels):
            if not is_plain(tiles.pixels[first]):
                self.reporter.note(
                    "picture-twice",
                    "{first} and {second} are the same picture. Remove one of them, unless there "
                    "are two such tiles.",
                    first=tiles.files[first],
                    second=tiles.files[second],
                )
                return

    def _question_headings(self) -> None:
        """Report headings of tiles.csv that are not understood, such as misspelt ones."""
        table = self.folder / "tiles" / inventory.NAME
        unknown = read_lines(table)[0] if table.exists() else []
        if unknown:
            self.reporter.note(
                "headings-unknown",
                "tiles.csv has headings that are not understood: {headings}.",
                headings=", ".join(guesses(unknown)[:HEADINGS]),
            )

    def scores(self, settings: SolveSettings) -> Compatibility:
        """Return the scores of all tiles, from the cache if no tile has changed since."""
        # Imported here, as they take a second and not every job needs them.
        from azulejar.measures import get_measure
        from azulejar.measures.cache import key

        path = scores_path(self.folder, settings)
        stamp = key(self.pictures, settings.measure, settings.upright, __version__)
        kept = _load_kept(path, stamp)
        if kept is not None:
            self.copies = read_copies(path, len(kept))
            return kept
        self.reporter.step("scoring", edges=4 * len(self.tiles))
        measure = get_measure(settings.measure)
        measure.on_pairs = self._show_pairs
        found = measure.score(self.pictures, upright=settings.upright, on_progress=self.fraction)
        found.save(path)
        about: dict[str, object] = {"stamp": stamp}
        from azulejar.patterns.laying import find_copies  # loaded here, since it takes long

        self.copies = find_copies(self.pictures.pixels)
        if self.copies is not None:
            about["copies"] = self.copies.tolist()
        with replacing(path.with_suffix(".json")) as temporary:
            temporary.write_text(json.dumps(about), encoding="utf-8")
        return found

    def judged_scores(self, settings: SolveSettings, board: Board) -> Compatibility:
        """Return the scores of all tiles, as old pictures that ``board`` believes changed them."""
        guides = guides_of(scores_path(self.folder, settings), board)
        return with_guides(self.scores(settings), guides)

    def _show_pairs(self, pairs: Sequence[tuple[int, int]]) -> None:
        """Report likely pairs of edges, given by the library's edge numbers."""

        def on_board(edge: int, other: int) -> Pair:
            (tile, side), (second, other_side) = divmod(edge, 4), divmod(other, 4)
            tiles = self.tiles[tile].tile, self.tiles[second].tile
            return Pair(tile=tiles[0], side=side, other=tiles[1], other_side=other_side)

        self.reporter.pairs([on_board(*pair) for pair in pairs])

    def mean_confidence(self, scores: Compatibility, assembly: Assembly) -> float | None:
        """Return the mean confidence of all placed tiles; None if there are none."""
        # Loaded here, since many jobs judge nothing and it takes long.
        from azulejar.judging.confidence import tile_confidence
        from azulejar.judging.evidence import Rivals
        from azulejar.judging.verdict import mean_confidence

        sure = tile_confidence(scores, assembly, Rivals.of(scores, self.copies))
        return mean_confidence(assembly, sure)

    def check_tile_count(self, files: Iterable[str]) -> None:
        """Raise if the project would have more tiles with ``files`` than it takes."""
        if len({tile.file for tile in self.tiles} | set(files)) > MAX_FILES:
            raise AzulejarError(
                "project-too-many-tiles",
                "A project takes {most:,} tiles.",
                "Make a second project.",
                most=MAX_FILES,
            )

    def write_tiles(self, files: Sequence[str], tiles: NDArray[np.uint8]) -> list[NewProjectTile]:
        """Write pictures [n, S, S, 3] under new names, all of them or none."""
        self.check_tile_count(files)
        paths = [self.folder / "tiles" / file for file in files]
        try:
            for done, (path, tile) in enumerate(zip(paths, tiles, strict=True), 1):
                write_picture(path, tile)
                self.fraction(done / len(files))
        except BaseException:
            for path in paths:
                path.unlink(missing_ok=True)
            raise
        return [NewProjectTile(file=file, number=Path(file).stem) for file in files]


def _load_kept(path: Path, stamp: str) -> Compatibility | None:
    try:
        return Compatibility.load(path) if read_stamp(path) == stamp else None
    except (OSError, AzulejarError):
        return None
