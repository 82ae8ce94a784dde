"""``azulejar collection create`` and ``add``, as a person types them."""

import re
import shutil
import signal
import sys

import numpy as np
import pytest
from collection_fakes import make_newer
from damaged_exif import DAMAGED
from PIL import Image

from azulejar.collection.intake import adding
from azulejar.collection.intake.encoding import encode_pictures
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.lock import locked

TILES = 6
KILLED = """
import os, signal
from azulejar.cli import main
from azulejar.collection.intake import adding
from azulejar.collection.storage.writer import Writer

add, calls = Writer.add, []

def killed(*arguments):
    calls.append(1)
    if len(calls) == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return add(*arguments)

adding.BLOCK, Writer.add = 4, killed
main.run()
"""


@pytest.fixture
def museum(azulejar, tmp_path):
    """A new collection."""
    azulejar("collection", "create", "museum")
    return tmp_path / "museum"


@pytest.fixture
def noise(noise_tiles, museum):
    """Ten tiles that are to be added to it."""
    return noise_tiles(10)


def test_crates_become_a_collection(azulejar, azulejar_process, tmp_path, tiles):
    """The whole way; tiles are added with the true network by a worker of a real process."""
    for crate in ("1", "2"):
        (tmp_path / "crates" / crate).mkdir(parents=True)
    names = sorted(path.name for path in tiles.iterdir())[:TILES]
    for i, name in enumerate(names):
        shutil.copy(tiles / name, tmp_path / "crates" / str(1 + i % 2))
    shutil.copy(tiles / names[0], tmp_path / "crates" / "2" / "copy.png")
    shown = azulejar("collection", "create", "museum")
    assert shown == (
        "Made the collection museum. Add tiles to it:\n  azulejar collection add museum TILES\n"
    )
    shown = azulejar_process("collection", "add", "museum", "crates").splitlines()
    assert shown[0] == f"{TILES} new tiles, 0 known, 1 there twice"
    assert re.fullmatch(rf"  note: .*/copy.png is the same picture as .*/{names[0]}\.", shown[1])
    assert shown[2] == f"museum has {TILES} tiles in 2 crates."
    with Collection.open(tmp_path / "museum") as collection:
        assert collection.crates() == {"1": TILES // 2, "2": TILES // 2}
        entries = collection.entries()
        alone = encode_pictures((), [(str(each.path), each.path.read_bytes()) for each in entries])
        assert np.array_equal(collection.pixels, alone.pixels)
        assert np.array_equal(collection.descriptions, alone.descriptions)
        assert np.array_equal(collection.scales, alone.scales)
    again = azulejar("collection", "add", "museum", "crates/1", "--crate", "attic").splitlines()
    assert again[0] == "0 new tiles, 3 known"
    assert again[1] == "  note: 3 known tiles have another place, crate or record now."


def test_pictures_that_cannot_be_added(invoke, noise, museum):
    """The others are kept, and the exit status says that something is missing."""
    noise.joinpath("broken.png").write_bytes(b"no picture")
    Image.new("RGB", (40, 30)).save(noise / "table.png")
    ended = invoke("collection", "add", "museum", "noise", "--workers", 1)
    shown = ended.stdout.splitlines()
    assert shown[0] == "10 new tiles, 0 known, 1 broken, 1 refused"
    assert re.fullmatch(r"  note: .*/broken\.png is broken, or no picture.*", shown[1])
    assert re.fullmatch(r"  note: .*/table\.png is 40×30 px, which is no square tile\..*", shown[2])
    assert shown[3] == "museum has 10 tiles in 1 crate."
    assert ended.returncode == 2
    assert ended.stderr == (
        "azulejar: 2 of 12 pictures could not be added; see above. "
        "Correct them or leave them out, and run the same command again. azulejar import finds the "
        "tiles in photographs of a table; --these-are-tiles takes each picture for one tile.\n"
    )
    with Collection.open(museum) as collection:
        assert len(collection) == 10


def test_none_can_be_added(invoke, tmp_path, museum):
    (tmp_path / "tables").mkdir()
    for colour in ("red", "blue"):
        Image.new("RGB", (40, 30), colour).save(tmp_path / "tables" / f"{colour}.png")
    ended = invoke("collection", "add", "museum", "tables", "--workers", 1)
    assert ended.returncode == 2
    assert ended.stderr.startswith("azulejar: 2 of 2 pictures could not be added; see above. ")


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of 4 tiles."""
    monkeypatch.setattr(adding, "BLOCK", 4)


@pytest.mark.usefixtures("small_blocks")
def test_ctrl_c_keeps_what_is_finished(azulejar, noise, museum, interrupted):
    add = ("collection", "add", "museum", "noise", "--workers", 1)
    ended = interrupted(*add, at="azulejar.collection.storage.writer.Writer.add")
    assert ended.returncode == 130
    assert ended.stderr == (
        "azulejar: stopped; what was added is kept. Continue with the same command.\n"
    )
    with Collection.open(museum) as collection:
        assert len(collection) == 8  # the second block was under way
    assert azulejar(*add).startswith("2 new tiles, 8 known\n")


def test_a_killed_run_goes_on_where_it_was(process, azulejar, noise, museum):
    """Killed once the first block is kept, with workers of its own at the others."""
    add = ("collection", "add", "museum", "noise", "--workers", 1)
    program = (sys.executable, "-c", KILLED)
    assert process(*add, program=program).returncode == -signal.SIGKILL
    assert azulejar(*add).startswith("6 new tiles, 4 known\n")
    with Collection.open(museum) as collection:
        assert collection.inventories() == [str(i) for i in range(10)]


@pytest.mark.usefixtures("small_blocks")
def test_a_full_disk(invoke, azulejar, noise, museum):
    add = ("collection", "add", "museum", "noise", "--workers", 1)
    ended = invoke(*add, file_limit=4 * 12800 + 1)
    assert ended.returncode == 2
    assert re.fullmatch(
        r"azulejar: Could not write into .*museum: File too large\. What was added before is "
        r"kept\. Free some space, and give the same command again\.\n",
        ended.stderr,
    )
    with Collection.open(museum) as collection:
        assert len(collection) == 4
    assert azulejar(*add).startswith("6 new tiles, 4 known\n")


def test_two_that_add_at_once(refused, noise, museum):
    with locked(museum, "adds tiles"):
        told = refused("collection", "add", "museum", "noise")
    assert re.search(r"another process adds tiles right now: process \d+ on this computer", told)


@pytest.mark.parametrize(
    "arguments, told",
    [
        (("add", "museum", "nowhere"), "There is no folder nowhere."),
        (("add", "nowhere", "noise"), "There is no collection in nowhere."),
        (("add", "noise", "noise"), "There is no collection in noise."),
        (("add", "museum", "noise", "--engine", "steam"), "There is no engine 'steam'."),
        (("create", "museum"), "There is a collection in museum already."),
        (("create", "noise"), "noise holds other things."),
        (("status", "noise"), "There is no collection in noise."),
    ],
)
def test_refusals(refused, noise, museum, arguments, told):
    assert f"azulejar: {told}" in refused("collection", *arguments)


def test_a_newer_format_is_refused(refused, noise, museum):
    make_newer(museum)
    for command in (("add", "museum", "noise"), ("status", "museum")):
        assert "Install azulejar 9.1 or a later one, and" in refused("collection", *command)


def test_a_damaged_catalogue_is_refused(refused, noise, museum):
    (museum / "collection.db").write_bytes(b"no database at all " * 500)
    assert "collection.db is damaged" in refused("collection", "add", "museum", "noise")


def test_the_help_names_all_commands(azulejar):
    shown = azulejar("collection", "--help")
    for name in ("create", "add", "status", "find", "sort", "solve", "report"):
        assert re.search(rf"│ {name} +\w+", shown)
    assert "For a whole museum" in azulejar("--help")


def test_new_tiles_whose_exif_data_are_damaged_are_named_once(azulejar, noise, museum):
    with Image.open(noise / "0.png") as tile:
        tile.save(noise / "damaged.png", exif=DAMAGED["cut off"])
    told = "which way up a picture is: damaged.png."
    assert told in azulejar("collection", "add", "museum", "noise", "--workers", 1)
    assert told not in azulejar("collection", "add", "museum", "noise", "--workers", 1)
