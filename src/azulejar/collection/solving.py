"""The groups of a collection, each put together by itself, wherever there is room."""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from azulejar.collection.engines import Engine
from azulejar.collection.search.scoring import scores_among
from azulejar.collection.sort_results import Group
from azulejar.collection.storage.catalogue import Collection, Entry
from azulejar.collection.storage.stating import of_group, sizes
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.knowledge.knowns_file import gather_knowns
from azulejar.solvers import get_preset
from azulejar.solvers.runs import History, best_of


@dataclass(frozen=True)
class Task:
    """What a worker needs to put one group together, which may be on another machine."""

    pixels: NDArray[np.uint8]
    descriptions: NDArray[np.int8]
    scales: NDArray[np.float32]
    files: tuple[str, ...]
    knowns: Knowns
    preset: str
    seed: int


@dataclass(frozen=True)
class Solved:
    """One group put together; ``key`` is of the tiles, what is known of them, and the settings."""

    group: Group
    entries: list[Entry]
    key: str
    knowns: Knowns
    compatibility: Compatibility
    assembly: Assembly
    history: History
    seconds: float


@dataclass(frozen=True)
class Refused:
    """A group that what is known of its tiles does not allow, and why."""

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
) -> Iterator[Solved | Refused]:
    """Each group as soon as it is solved, those with most evidence begun first.

    What ``is_done`` knows by its group and key is left out.
    """
    get_preset(preset)
    known_sizes = sizes(collection)
    waiting, refused = [], []
    for group in sorted(groups, key=lambda group: -group.priority):
        entries = collection.entries(group.tiles)
        try:
            knowns = _knowns(collection, group, known_sizes)
        except AzulejarError as error:
            refused.append(Refused(group, error))
            continue
        key = key_of(entries, knowns, preset, seed)
        if not is_done(group, key):
            waiting.append((group, entries, key, knowns))
    yield from refused
    tasks = (
        _task(collection, group.tiles, knowns, preset, seed) for group, _, _, knowns in waiting
    )
    for number, (compatibility, assembly, history, seconds) in engine.map(solve_task, tasks):
        group, entries, key, knowns = waiting[number]
        yield Solved(group, entries, key, knowns, compatibility, assembly, history, seconds)


def solve_task(
    shared: tuple[NDArray, ...], task: Task
) -> tuple[Compatibility, Assembly, History, float]:
    """The scores of a group, its panel, how the search went, and seconds."""
    started = time.perf_counter()
    scores = scores_among(task.pixels, task.descriptions, task.scales, task.files)
    knowns, up = _which_way_up(task.knowns)
    run = best_of(scores, knowns, get_preset(task.preset), seed=task.seed)
    assembly = run.assembly
    if up is not None:
        tile, turn = up
        assembly = assembly.turned(turn - int(assembly.turn[tile]))
    return scores, assembly, run.history, time.perf_counter() - started


def _which_way_up(knowns: Knowns) -> tuple[Knowns, tuple[int, int] | None]:
    """Where nothing is held but the turn of one tile, it only says which way the panel hangs.

    The knowns without it, and that tile and its turn.
    """
    free = replace(knowns, locks=())
    if free.constrained or knowns.upright or knowns.rows or len(knowns.locks) != 1:
        return knowns, None
    (lock,) = knowns.locks
    if lock.turn is None or lock.row is not None or lock.col is not None:
        return knowns, None
    return free, (lock.tile, lock.turn)


def key_of(entries: Sequence[Entry], knowns: Knowns, preset: str, seed: int) -> str:
    """The same for the same pictures, knowns and settings."""
    made_from = [[entry.sha256 for entry in entries], repr(knowns), preset, seed]
    return sha256(json.dumps(made_from).encode()).hexdigest()


def _knowns(
    collection: Collection, group: Group, known_sizes: Mapping[str, tuple[int, int]]
) -> Knowns:
    found = collection.tiles(group.tiles)
    stated = of_group(collection.statements, set(found.numbers))
    return gather_knowns(found, stated, *known_sizes.get(group.name, (None, None)))


def _task(
    collection: Collection, tiles: Sequence[int], knowns: Knowns, preset: str, seed: int
) -> Task:
    which = np.asarray(tiles)
    edges = (4 * which[:, None] + np.arange(4)).ravel()
    return Task(
        np.array(collection.pixels[which]),
        np.array(collection.descriptions[edges]),
        np.array(collection.scales[edges]),
        tuple(str(tile) for tile in tiles),
        knowns,
        preset,
        seed,
    )
