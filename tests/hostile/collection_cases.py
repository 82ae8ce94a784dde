"""Hostile cases for collections: damaged files, and processes killed while they write.

A case is made from a seed. ``damage_case`` returns what went wrong as one line, or None; ``kills``
yields the same for each process that was killed.
"""

import contextlib
import io
import json
import os
import random
import select
import shutil
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from azulejar.collection.intake import adding
from azulejar.collection.intake.adding import add_tiles
from azulejar.collection.intake.encoding import Encoded
from azulejar.collection.intake.repair import repair_collection
from azulejar.collection.search.joint_search import find_joints, search_state
from azulejar.collection.search.query import find_edge
from azulejar.collection.sort_results import Group, SortResult, load_sort, save_sort
from azulejar.collection.storage.backup import backup_collection, restore_collection
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.integrity import find_damage
from azulejar.collection.storage.overrides import add_statements, panel_sizes, save_panel_size
from azulejar.collection.storage.status import check_pictures, find_holders
from azulejar.core.assembly import Assembly
from azulejar.core.solution import Solution
from azulejar.errors import AzulejarError
from azulejar.imaging.picture import read_tile
from azulejar.knowledge.knowns_file import KnownsFile
from azulejar.outputs.collection.panels import read_panels
from azulejar.outputs.collection.stages import report_collection

TILES = 12
SECONDS = 20.0  # of processor time; more is too slow for a collection of twelve tiles
MODEL = "made up"
ARRAYS = ("pixels", "descriptions", "scales")
WAYS = ("flip", "flip", "zero", "cut", "delete", "noise", "repeat", "append", "empty")


class InTurn:
    """An engine that does one block after the other, in this process."""

    name, workers = "in turn", 1

    def share(self, array):
        return array

    def map(self, function, blocks, shared=(), on_done=None):
        for number, block in enumerate(blocks):
            yield number, function(tuple(shared), block)


def encode(shared: tuple, block: list[tuple[str, bytes]]) -> Encoded:
    """Describe pictures by numbers that depend on their pixels alone."""
    pixels = np.zeros((len(block), 50, 50, 3), np.uint8)
    descriptions = np.zeros((len(block), 4 * 2 * 1600), np.int8)
    scales = np.zeros((len(block), 8), np.float32)
    broken = {}
    for i, (name, content) in enumerate(block):
        try:
            pixels[i] = read_tile(Path(name), 50, content=content)
        except AzulejarError as error:
            broken[i] = error.problem
            continue
        rng = np.random.default_rng(np.frombuffer(sha256(pixels[i].tobytes()).digest(), np.uint8))
        descriptions[i] = rng.integers(-127, 128, descriptions.shape[1], np.int8)
        scales[i] = rng.random(8) / 1000 + 1e-4
    return Encoded(pixels, descriptions.reshape(-1, 2, 1600), scales.reshape(-1, 2), broken)


def write_crate(folder: Path, names: list[str]) -> Path:
    """Write pictures of noise that depend on their names."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        rng = np.random.default_rng(list(name.encode()))
        pixels = rng.integers(0, 256, (30, 30, 3), np.uint8)
        file = io.BytesIO()
        Image.fromarray(pixels).save(file, "PNG")
        (folder / f"{name}.png").write_bytes(file.getvalue())
    return folder


def make_museum(home: Path) -> Path:
    """Make a collection that is searched and sorted, with one panel solved."""
    crate = write_crate(home / "crate", [f"A{i:02d}" for i in range(TILES)])
    (crate / "tiles.csv").write_text("file,code,note\nA03,XII,found in the attic\n")
    with Collection.create(home / "museum") as museum:
        add_tiles(museum, [crate], engine=InTurn(), encode=encode, model=MODEL)
        add_statements(museum, KnownsFile(together=[["A01", "A02"]]))
        save_panel_size(museum, "1", 3, 4)
        find_joints(museum, InTurn())
        group = Group("1", tuple(range(TILES)), 0.9, 17, 0.9, 6)
        (museum.folder / "groups").mkdir()
        found = SortResult([group], (), np.ones(TILES))
        save_sort(museum.folder / "groups" / "groups.json", found, museum.inventories())
        panel = museum.folder / "panels" / "panel_0001"
        panel.mkdir(parents=True)
        files = tuple(f"A{i:02d}.png" for i in range(TILES))
        cells = np.arange(TILES)
        assembly = Assembly.of(cells // 4, cells % 4, np.zeros(TILES, int))
        Solution.of(assembly, files).save(panel / "solution.json")
        about = {"format": "azulejar-collection-panel/1", "name": "1", "key": "", "vanished": []}
        about["solution"] = sha256((panel / "solution.json").read_bytes()).hexdigest()
        (panel / "panel.json").write_text(json.dumps(about))
        Image.new("RGBA", (40, 30)).save(panel / "small.webp")
        find_edge(museum, 0, count=1)  # which makes the index
    return home


# Damage


def damage_case(seed: int, base: Path, home: Path) -> str | None:
    """Damage one file of a copy of the museum in ``base``, and use the copy in every way."""
    rng = random.Random(seed)
    shutil.rmtree(home, ignore_errors=True)
    shutil.copytree(base, home)
    folder = home / "museum"
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != "lock")
    weights = [5 if path.parent == folder else 1 for path in files]
    path = rng.choices(files, weights)[0]
    told = f"seed {seed}, {path.relative_to(folder)}: {_harm(rng, path)}"
    started = time.process_time()
    try:
        wrong = _use(rng, base / "museum", folder)
    except AzulejarError as error:
        wrong = f"{error.code} was not expected"
    except Exception:
        wrong = "traceback: " + traceback.format_exc().strip().splitlines()[-1]
    if wrong is None and time.process_time() - started > SECONDS:
        wrong = "too slow"
    return None if wrong is None else f"{told}: {wrong}"


def _harm(rng: random.Random, path: Path) -> str:
    """Damage a file in one of the ways in which disks and copies do; return its name."""
    data = bytearray(path.read_bytes())
    size = max(1, len(data))
    start = rng.randrange(size)
    end = min(size, start + rng.choice((1, 16, 512, 4096, size)))
    way = rng.choice(WAYS)
    if way == "delete":
        path.unlink()
        return way
    if way == "flip":
        for _ in range(rng.choice((1, 1, 2, 20))):
            if data:
                data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    elif way == "zero":
        data[start:end] = bytes(end - start)
    elif way == "cut":
        del data[start:]
    elif way == "noise":
        data[start:end] = rng.randbytes(end - start)
    elif way == "repeat":
        data[start:end] = data[: end - start]
    elif way == "append":
        data += rng.randbytes(rng.randrange(1, 9000))
    else:
        data.clear()
    path.write_bytes(data)
    return f"{way} at {start}"


def _use(rng: random.Random, sound: Path, folder: Path) -> str | None:
    """Use a collection that may be damaged; return what went wrong."""
    whole = _contents(sound)
    try:
        museum = Collection.open(folder)
    except AzulejarError:
        return None  # it says that it is damaged
    with museum:
        damage = find_damage(museum)
        try:
            same = _contents(folder) == whole
        except AzulejarError:
            same = False
        if not damage and not same:
            return "unnoticed damage"
        for look in (check_pictures, find_holders, search_state, load_sort, panel_sizes,
                     lambda each: each.statements, lambda each: each.crates()):  # fmt: skip
            with contextlib.suppress(AzulejarError):
                look(museum)
        for use in (_find, _report):
            if use(museum) and damage:
                return f"{use.__name__[1:]} used a damaged collection"
        return _back_up(museum, folder, whole, bool(damage)) or _repair(museum, folder, whole, rng)


def _find(museum: Collection) -> bool:
    try:
        find_edge(museum, 3, 1, count=3)
    except AzulejarError:
        return False
    return True


def _report(museum: Collection) -> bool:
    try:
        found = load_sort(museum)
        read_panels(museum, found.groups if found else [])
        report_collection(museum)
    except AzulejarError:
        return False
    return True


def _back_up(museum: Collection, folder: Path, whole: dict, damaged: bool) -> str | None:
    path = folder.parent / "backup.zip"
    try:
        backup_collection(museum, path)
    except AzulejarError:
        return None if damaged else "no backup of an intact collection"
    if damaged:
        return "a backup of a damaged collection"
    restore_collection(path, folder.parent / "restored").close()
    if _contents(folder.parent / "restored") != whole:
        return "restored something else"
    return None


def _repair(museum: Collection, folder: Path, whole: dict, rng: random.Random) -> str | None:
    gone = set()
    if rng.random() < 0.3:
        gone = {entry for entry in (folder.parent / "crate").glob("*.png") if rng.random() < 0.5}
        for entry in gone:
            entry.unlink()
    try:
        report = repair_collection(museum, engine=InTurn(), encode=encode, model=MODEL)
    except AzulejarError as error:
        known = error.code in ("catalogue-damaged", "catalogue-index-damaged")
        return None if known else f"repair ended with {error.code}"
    if report.lost:
        return None if gone and find_damage(museum) else "a tile was lost that has its picture"
    if find_damage(museum):
        return "still damaged after a repair"
    return None if _contents(folder) == whole else "repaired to something else"


def _contents(folder: Path) -> dict:
    """Return all that a collection holds, where the photographs lie aside."""
    with Collection.open(folder) as museum:
        entries = [
            (each.number, each.inventory, each.crate, each.path.name, each.sha256, each.record)
            for each in museum.entries()
        ]
        return {
            "entries": entries,
            "statements": museum.statements,
            "sizes": panel_sizes(museum),
            "model": museum.model,
        } | {name: getattr(museum, name).tobytes() for name in ARRAYS}


# Kills


def kills(count: int, seed: int, home: Path) -> Iterator[str | None]:
    """Kill a process that writes a collection, again and again; yield what was lost each time.

    Each child does what comes next and says so once it is done; whatever it said must be there.
    Call this in a process without other threads.
    """
    rng = random.Random(seed)
    adding.BLOCK = 3
    museum = home / "museum"
    crates = [
        write_crate(home / f"crate {i}", [f"K{i}-{j}" for j in range(8)]) for i in range(count)
    ]
    Collection.create(museum).close()
    said = {"tiles": 0, "statement": -1, "backup": 0}
    for turn in range(count):
        yield _kill_one(rng, museum, crates[turn], turn, said)


def _kill_one(
    rng: random.Random, museum: Path, crate: Path, turn: int, said: dict[str, int]
) -> str | None:
    read, write = os.pipe()
    child = os.fork()
    if not child:
        os.close(read)
        try:
            _write_on(museum, crate, turn, lambda text: os.write(write, f"{text}\n".encode()))
        finally:
            os._exit(0)
    os.close(write)
    select.select([read], [], [], rng.uniform(0, 0.05))
    time.sleep(rng.uniform(0, 0.12))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with os.fdopen(read) as told:
        for line in told:
            what, _, value = line.strip().partition(" ")
            said[what] = int(value)
    try:
        with Collection.open(museum) as left:
            if damage := find_damage(left):
                return f"kill {turn}: damaged ({damage})"
            if len(left) < said["tiles"]:
                return f"kill {turn}: {len(left)} of {said['tiles']} tiles are left"
            stated = [int(name) for group in left.statements.together for name in group]
            # The next one may have taken its place without a word about it.
            if said["statement"] >= 0 and not {said["statement"], turn} & set(stated):
                return f"kill {turn}: statement {said['statement']} is lost"
        if said["backup"]:
            again = museum.parent / "restored"
            shutil.rmtree(again, ignore_errors=True)
            with restore_collection(museum.parent / "backup.zip", again) as restored:
                if len(restored) < said["backup"]:
                    return f"kill {turn}: the backup lacks tiles"
    except Exception:
        return f"kill {turn}: " + traceback.format_exc().strip().splitlines()[-1]
    return None


def _write_on(museum: Path, crate: Path, turn: int, say: Callable[[str], object]) -> None:
    with Collection.open(museum) as collection:
        collection.save_statements(KnownsFile(together=[[str(turn), str(turn + 10_000)]]))
        say(f"statement {turn}")
        add_tiles(collection, [crate], engine=InTurn(), encode=encode, model=MODEL)
        say(f"tiles {len(collection)}")
        backup_collection(collection, museum.parent / "backup.zip", overwrite=True)
        say(f"backup {len(collection)}")


# For run.py

SHARED: dict[str, Path] = {}


def prepare(folder: Path) -> None:
    """Make the collection of which every case damages a copy."""
    SHARED["base"] = make_museum(folder)


def _damaged(rng: random.Random, folder: Path) -> Any:
    seed = rng.randrange(2**32)
    return _as_try("damage", lambda: damage_case(seed, SHARED["base"], folder / "it"))


def _killed(rng: random.Random, folder: Path) -> Any:
    seed = rng.randrange(2**32)
    return _as_try("lost", lambda: "; ".join(filter(None, kills(3, seed, folder))))


def _as_try(wrong: str, case: Callable[[], str | None]) -> Any:
    from trying import WRONG, Try  # beside this module, where run.py finds it

    def run() -> tuple[int, str]:
        told = case()
        return (WRONG, told) if told else (0, "")

    return Try("collection", run, wrong=wrong)


KINDS = {"collection files": _damaged, "kills of a collection's writer": _killed}
SLOW = {"kills of a collection's writer"}
