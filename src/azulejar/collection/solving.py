"""The groups of a collection, each put together by itself, wherever there is room."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from azulejar.assembly import Assembly
from azulejar.collection.catalogue import Collection, Entry
from azulejar.collection.engines import Engine
from azulejar.collection.scoring import scores_among
from azulejar.collection.sorted import Group
from azulejar.collection.stating import of_group
from azulejar.compatibility import Compatibility
from azulejar.errors import AzulejarError
from azulejar.knowledge.gathering import gather
from azulejar.knowns import Knowns
from azulejar.solvers.presets import get_preset
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
    waiting, refused = [], []
    for group in sorted(groups, key=lambda group: -group.evidence):
        entries = collection.entries(group.tiles)
        try:
            knowns = _knowns(collection, group.tiles)
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
    run = best_of(scores, task.knowns, get_preset(task.preset), seed=task.seed)
    return scores, run.assembly, run.history, time.perf_counter() - started


def key_of(entries: Sequence[Entry], knowns: Knowns, preset: str, seed: int) -> str:
    """The same for the same pictures, knowns and settings."""
    made_from = [[entry.sha256 for entry in entries], repr(knowns), preset, seed]
    return sha256(json.dumps(made_from).encode()).hexdigest()


def _knowns(collection: Collection, tiles: Sequence[int]) -> Knowns:
    found = collection.tiles(tiles)
    return gather(found, of_group(collection.statements, set(found.numbers)))


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
