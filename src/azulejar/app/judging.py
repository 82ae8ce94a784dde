"""Confidence of the board, and candidates for a place, from the scores of a project.

Scores of the projects in use are cached in memory, so that a reply takes milliseconds.
"""

import threading
import weakref
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from azulejar.app.http.errors import Conflict
from azulejar.app.projects.convert import board_assembly, in_library_order
from azulejar.app.projects.score_files import (
    MUSEUM,
    UPRIGHT,
    guides_of,
    latest_scores,
    read_copies,
    with_guides,
)
from azulejar.app.projects.store import ProjectStore
from azulejar.app.schemas.boards import (
    LOOSE,
    Board,
    BoardState,
    CandidateFit,
    Candidates,
    Confidence,
    PanelPlace,
    TileConfidence,
)
from azulejar.app.schemas.tiles import ProjectTile
from azulejar.core.assembly import Place as LibraryPlace
from azulejar.core.compatibility import Compatibility
from azulejar.core.edges import direction_of
from azulejar.errors import AzulejarError
from azulejar.judging.candidates import Candidate, candidates_for
from azulejar.judging.confidence import joint_confidence, middle_by_tile
from azulejar.judging.evidence import Rivals
from azulejar.judging.verdict import is_probably_wrong, mean_confidence

CACHE_BYTES = 768 * 2**20  # of scores in memory; 1,000 tiles take 64 MB
REPLIES = 4  # projects whose latest confidence is cached


@dataclass(frozen=True)
class ProjectScores:
    """Scores of tiles, and what follows from them alone."""

    compatibility: Compatibility
    rivals: Rivals
    upright: bool

    def known(self, tiles: Sequence[ProjectTile]) -> list[ProjectTile]:
        """Return the tiles that were scored, in the order of the scores."""
        by_file = {tile.file: tile for tile in tiles}
        return [by_file[file] for file in self.compatibility.files]

    def in_order(self, tiles: Sequence[ProjectTile]) -> "ProjectScores | None":
        """Return the scores of tiles in their order; None if some of them were not scored."""
        files = self.compatibility.files
        if files == tuple(tile.file for tile in tiles):
            return self
        at = {file: i for i, file in enumerate(files)}
        if any(tile.file not in at for tile in tiles):
            return None
        which = [at[tile.file] for tile in tiles]
        scores = self.compatibility.take(which)
        copies = None if self.rivals.copies is None else self.rivals.copies[which]
        return ProjectScores(scores, Rivals.of(scores, copies), self.upright)


def load_project_scores(store: ProjectStore, tiles: Sequence[ProjectTile]) -> ProjectScores | None:
    """Return the scores of those tiles that were scored; None if there are no scores."""
    path = latest_scores(store)
    if path is None or path.stem.startswith(MUSEUM):  # nobody has scored the tiles here
        # Imported here, as most projects are no tables of a museum.
        from azulejar.app.museum.scores import museum_scores

        path = museum_scores(store.folder, in_library_order(store.tiles())) or path
    if path is None:
        return None
    files = {tile.file for tile in tiles}
    try:
        return _cache.get(path, frozenset(files), guides_of(path, store.state().board))
    except (AzulejarError, OSError):  # replaced or damaged meanwhile
        return None


def board_confidence(store: ProjectStore) -> Confidence:
    """Return the confidence of every placed tile on the present board, computed once for all."""
    state, tiles = store.state(), in_library_order(store.tiles())
    found = load_project_scores(store, tiles)
    if found is None:
        return Confidence(revision=state.revision, scored=False)
    with _replies_lock:
        latest = _replies.get(store.folder)
        if latest is None or latest[0]() is not found or latest[1].revision != state.revision:
            latest = weakref.ref(found), _judge_board(found, state, found.known(tiles))
            _replies[store.folder] = latest
            while len(_replies) > REPLIES:
                _replies.popitem(last=False)
        return latest[1]


def _judge_board(found: ProjectScores, state: BoardState, tiles: list[ProjectTile]) -> Confidence:
    assembly = board_assembly(state.board, tiles)
    joints, sure = joint_confidence(found.compatibility, assembly, found.rivals)
    by_tile = middle_by_tile(joints, sure, len(tiles))
    mean = mean_confidence(assembly, by_tile)
    right: dict[int, float] = {}
    below: dict[int, float] = {}
    direction = direction_of(joints, assembly.turn[joints // 4])
    for (a, b), (towards, _), value in zip(
        (joints // 4).tolist(), direction.tolist(), sure.round(4).tolist(), strict=True
    ):
        side = right if towards % 2 else below
        side[a if towards in (1, 2) else b] = value
    judged = [
        TileConfidence(
            tile=tile.tile,
            confidence=round(float(by_tile[i]), 4),
            right=right.get(i),
            below=below.get(i),
        )
        for i, tile in enumerate(tiles)
        if assembly.panel[i] != LOOSE
    ]
    return Confidence(
        revision=state.revision,
        scored=True,
        tiles=judged,
        mean=mean,
        probably_wrong=is_probably_wrong(mean),
    )


def find_candidates(
    store: ProjectStore, place: PanelPlace, everything: bool, top: int
) -> Candidates:
    """Return the loose tiles, or all that are not locked, by how well they fit a place.

    A tile that lies there is among them, with the probability that it lies right.
    """
    board, tiles = store.state().board, in_library_order(store.tiles())
    found = load_project_scores(store, tiles)
    if found is None:
        raise Conflict(
            "edges-not-scored",
            "The edges have not been scored yet.",
            "Solve once; then it is known.",
        )
    tiles = found.known(tiles)
    lifted = _lift(board, place)
    loose = board_assembly(lifted, tiles).panel == LOOSE
    locked = np.isin([tile.tile for tile in tiles], lifted.locked)
    which = np.flatnonzero(loose | ~locked if everything else loose)
    where = LibraryPlace(place.panel, place.row, place.col)
    try:
        fits, none = candidates_for(
            found.compatibility,
            board_assembly(board, tiles),
            where,
            which.tolist(),
            upright=found.upright,
            rivals=found.rivals,
        )
    except AzulejarError:
        raise Conflict(
            "place-beside-nothing",
            "No tile lies beside this place.",
            "Choose a place that touches the panel.",
        ) from None
    lies = {each.tile for each in board.placed if each.panel != LOOSE}
    return Candidates(place=place, fits=[_fit(fit, tiles, lies) for fit in fits[:top]], none=none)


def _fit(found: Candidate, tiles: list[ProjectTile], lies: set[int]) -> CandidateFit:
    tile = tiles[found.tile].tile
    return CandidateFit(
        tile=tile,
        turn=90 * found.turn,  # type: ignore[arg-type]
        probability=found.probability,
        joints=list(found.joints),
        placed=tile in lies,
    )


def preload_scores(store: ProjectStore) -> None:
    """Load the scores into the cache before they are needed."""
    load_project_scores(store, store.tiles())


def _lift(board: Board, place: PanelPlace) -> Board:
    """Return the board with the tile at a place lifted and unlocked."""
    there = (place.panel, place.row, place.col)
    here = {each.tile for each in board.placed if (each.panel, each.row, each.col) == there}
    placed = [
        each.model_copy(update={"panel": LOOSE}) if each.tile in here else each
        for each in board.placed
    ]
    locked = [tile for tile in board.locked if tile not in here]
    return board.model_copy(update={"placed": placed, "locked": locked})


class _ScoreCache:
    """A cache of scores by file and tiles, the least recently used dropped first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[tuple, ProjectScores | None] = OrderedDict()
        self._lock = threading.Lock()

    def get(
        self, path: Path, files: frozenset[str], guides: Sequence[Path] = ()
    ) -> ProjectScores | None:
        changed = tuple((each, each.stat().st_mtime_ns) for each in guides)
        key = (path, path.stat().st_mtime_ns, files, changed)
        with self._lock:
            if key not in self._kept:
                for old in [other for other in self._kept if other[0] == path]:
                    del self._kept[old]
                self._kept[key] = _load(path, files, guides)
            self._kept.move_to_end(key)
            while len(self._kept) > 1 and self._bytes() > CACHE_BYTES:
                self._kept.popitem(last=False)
            return self._kept[key]

    def _bytes(self) -> int:
        return sum(each.compatibility.scores.nbytes for each in self._kept.values() if each)


def _load(path: Path, files: frozenset[str], guides: Sequence[Path]) -> ProjectScores | None:
    compatibility = with_guides(Compatibility.load(path), guides)
    copies = read_copies(path, len(compatibility))
    still = [i for i, file in enumerate(compatibility.files) if file in files]
    if len(still) < 2:
        return None
    if len(still) < len(compatibility):
        compatibility = compatibility.take(still)
        copies = None if copies is None else copies[still]
    upright = path.stem.endswith(UPRIGHT)
    return ProjectScores(compatibility, Rivals.of(compatibility, copies), upright)


_cache = _ScoreCache()
# Weak references: a cached reply must not keep scores in memory that were dropped.
_replies: OrderedDict[Path, tuple[weakref.ref[ProjectScores], Confidence]] = OrderedDict()
_replies_lock = threading.Lock()
