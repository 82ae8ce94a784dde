"""Solve the groups of a collection, each by itself, on the workers of an engine."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.engines import Engine
from azulejar.collection.intake.encoding import MODEL
from azulejar.collection.sort_results import Group
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.collection.storage.overrides import (
    all_statements,
    drawn_outlines,
    panel_sizes,
    statements_among,
)
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.core.mask import TILE
from azulejar.errors import AzulejarError
from azulejar.knowledge.knowns_file import KnownsFile, gather_knowns
from azulejar.measures.calibration import Rows
from azulejar.measures.ensemble import Ensemble
from azulejar.measures.measure import blocks
from azulejar.measures.postprocess import by_outer_sides
from azulejar.measures.twin import twin_rows
from azulejar.solvers import get_preset
from azulejar.solvers.runs import History, best_of
from azulejar.weights import load_model

MEASURE = "collection"  # the name under which the scores are stored
VERSION = 2  # to be raised when the same descriptions would give other scores


@dataclass(frozen=True)
class GroupJob:
    """All that a worker needs to solve one group, perhaps on another machine."""

    pixels: NDArray[np.uint8]
    descriptions: NDArray[np.int8]
    scales: NDArray[np.float32]
    files: tuple[str, ...]
    knowns: Knowns
    preset: str
    seed: int


@dataclass(frozen=True)
class SolvedGroup:
    """One group put together; ``key`` depends on the tiles, the knowns and the settings."""

    group: Group
    entries: list[Entry]
    key: str
    knowns: Knowns
    compatibility: Compatibility
    assembly: Assembly
    history: History
    seconds: float


@dataclass(frozen=True)
class SkippedGroup:
    """A group that cannot be solved as its tiles are known, and why."""

    group: Group
    why: AzulejarError


def solve_groups(
    collection: Collection,
    groups: Sequence[Group],
    engine: Engine,
    *,
    preset: str = "standard",
    seed: int = 0,
    is_done: Callable[[Group, str], bool] = lambda group, key: False,
) -> Iterator[SolvedGroup | SkippedGroup]:
    """Yield each group as soon as it is solved; those with most evidence are begun first.

    Args:
        collection: The tiles of the groups.
        groups: Groups of the last sort.
        engine: The workers.
        preset: fast, standard or paper.
        seed: Same seed, same answer.
        is_done: Returns whether a group with this key is solved already; such are left out.
    """
    get_preset(preset)
    known_sizes, outlines = panel_sizes(collection), drawn_outlines(collection)
    waiting, skipped = [], []
    for group in sorted(groups, key=lambda group: -group.priority):
        entries = collection.entries(group.tiles)
        try:
            knowns = _knowns(collection, group, known_sizes, outlines.get(group.name))
        except AzulejarError as error:
            skipped.append(SkippedGroup(group, error))
            continue
        key = solution_key(entries, collection.model, knowns, preset, seed)
        if not is_done(group, key):
            waiting.append((group, entries, key, knowns))
    yield from skipped
    jobs = (
        make_job(collection, group.tiles, knowns, preset, seed) for group, _, _, knowns in waiting
    )
    for number, (compatibility, assembly, history, seconds) in engine.map(solve_job, jobs):
        group, entries, key, knowns = waiting[number]
        yield SolvedGroup(group, entries, key, knowns, compatibility, assembly, history, seconds)


def solve_job(
    shared: tuple[NDArray, ...], job: GroupJob
) -> tuple[Compatibility, Assembly, History, float]:
    """Return the scores of a group, its assembly, the history of the search, and seconds."""
    started = time.perf_counter()
    scores = score_job(job)
    knowns, up = _which_way_up(job.knowns)
    # As with dlcm, the outer sides of a frame are kept apart; but the confidence looks at all that
    # speaks for and against a joint, and so at the scores as they were.
    framed = by_outer_sides(scores, upright=knowns.upright)
    run = best_of(framed, knowns, get_preset(job.preset), seed=job.seed)
    assembly = run.assembly
    if up is not None:
        tile, turn = up
        assembly = assembly.turned(turn - int(assembly.turn[tile]))
    return scores, assembly, run.history, time.perf_counter() - started


def score_job(job: GroupJob) -> Compatibility:
    """Score all pairs of edges of a group, as if there were no other tiles.

    The scores are those of ``dlcm`` without its second view, made from what the collection stores,
    so that no network looks at the tiles again.
    """
    anchor, partner = (
        job.descriptions[:, role].astype(np.float32) * job.scales[:, role, None]
        for role in range(2)
    )

    def network(rows: NDArray[np.intp]) -> Rows:
        return twin_rows(anchor, partner, rows).astype(np.float64)

    calibration = load_model(MODEL).card["calibration"]
    ensemble = Ensemble(network, job.pixels, calibration, job.knowns.upright)
    scores = np.empty((len(anchor), len(anchor)), np.float32)
    for rows in blocks(len(anchor)):
        scores[rows] = ensemble.probability(rows)
    return Compatibility(scores, job.files, MEASURE)


def solution_key(
    entries: Sequence[Entry], model: str | None, knowns: Knowns, preset: str, seed: int
) -> str:
    """Return a key that is the same for the same pictures, scores, knowns and settings.

    ``model`` is the checksum of the model that described the pictures.
    """
    made_from = [[entry.sha256 for entry in entries], model, VERSION, repr(knowns), preset, seed]
    return sha256(json.dumps(made_from).encode()).hexdigest()


def make_job(
    collection: Collection, tiles: Sequence[int], knowns: Knowns, preset: str, seed: int
) -> GroupJob:
    """Copy what is stored of some tiles into a job."""
    which = np.asarray(tiles)
    edges = (4 * which[:, None] + np.arange(4)).ravel()
    return GroupJob(
        np.array(collection.pixels[which]),
        np.array(collection.descriptions[edges]),
        np.array(collection.scales[edges]),
        tuple(str(tile) for tile in tiles),
        knowns,
        preset,
        seed,
    )


def _which_way_up(knowns: Knowns) -> tuple[Knowns, tuple[int, int] | None]:
    """Separate the turn of a single tile, where nothing else is known.

    It only says which way up the whole panel hangs, so the solver need not know it.

    Returns:
        The knowns without it, and that tile and its turn, if so.
    """
    free = replace(knowns, locks=())
    if free.constrained or knowns.upright or knowns.rows or len(knowns.locks) != 1:
        return knowns, None
    (lock,) = knowns.locks
    if lock.turn is None or lock.row is not None or lock.col is not None:
        return knowns, None
    return free, (lock.tile, lock.turn)


def _knowns(
    collection: Collection,
    group: Group,
    known_sizes: Mapping[str, tuple[int, int]],
    outline: KnownsFile | None,
) -> Knowns:
    tiles = collection.tiles(group.tiles)
    stated = statements_among(all_statements(collection), set(tiles.numbers))
    if outline is None:
        rows, cols = known_sizes.get(group.name, (None, None))
        return gather_knowns(tiles, stated, rows, cols, few_of_many=True)
    places = sum(line.count(TILE) for line in outline.mask) - len(outline.empty)
    if places < len(tiles):
        raise AzulejarError(
            "panel-outline-too-small",
            "The outline of panel {panel} has {places} places, but there are {tiles} tiles.",
            "Draw more places on its table, or move tiles to another panel.",
            panel=group.name,
            places=places,
            tiles=len(tiles),
        )
    # What was drawn takes precedence over sizes that were stated and over tiles.csv.
    held = {one.tile for one in outline.locked}
    free = {"row": None, "col": None, "turn": None}
    records = [
        replace(record, **free) if number in held else record
        for number, record in zip(tiles.numbers, tiles.records, strict=True)
    ]
    locked = [one for one in stated.locked if one.tile not in held]
    locked += [one for one in outline.locked if one.tile in set(tiles.numbers)]
    drawn = {"mask": outline.mask, "empty": outline.empty, "locked": locked}
    tiles = replace(tiles, records=tuple(records))
    return gather_knowns(tiles, stated.model_copy(update=drawn), few_of_many=True)
