"""``azulejar puzzle``: a panel cut up and shuffled, with its truth kept apart."""

import json

import numpy as np
import pytest
from PIL import Image

SIZE = ("--rows", 4, "--cols", 5)


def pixels(path):
    with Image.open(path) as picture:
        return np.asarray(picture)


def truth_in(folder):
    return json.loads((folder / "truth.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("kind", ["upright", "turned"])
def test_the_truth_puts_the_panel_together_again(puzzles, panel, kind):
    truth, whole = truth_in(puzzles / kind), pixels(panel)
    for tile in truth["tiles"]:
        top, left = 64 * tile["row"], 64 * tile["col"]
        cell = whole[top : top + 64, left : left + 64]
        picture = pixels(puzzles / kind / "tiles" / tile["file"])
        np.testing.assert_array_equal(np.rot90(picture, -tile["turn"] // 90), cell)
    assert truth["upright"] == (kind == "upright")
    turns = {tile["turn"] for tile in truth["tiles"]}
    assert turns == ({0} if kind == "upright" else {0, 90, 180, 270})


def test_the_tiles_names_do_not_tell_their_places(puzzles):
    truth = truth_in(puzzles / "turned")
    names = [tile["file"] for tile in truth["tiles"]]
    assert names == [f"tile_{i:04}.png" for i in range(1, 21)]
    places = [(tile["row"], tile["col"]) for tile in truth["tiles"]]
    assert len(set(places)) == 20
    assert places != sorted(places)
    folder = puzzles / "turned"
    assert sorted(entry.name for entry in folder.iterdir()) == ["tiles", "truth.json"]
    assert sorted(entry.name for entry in (folder / "tiles").iterdir()) == names


def test_what_is_printed_leads_to_the_files(azulejar_process, tmp_path, panel):
    shown = azulejar_process("puzzle", panel, *SIZE, "-o", "a/new puzzle")
    assert "20 tiles: a/new puzzle/tiles" in shown
    assert "Truth: a/new puzzle/truth.json" in shown
    assert (tmp_path / "a" / "new puzzle" / "truth.json").is_file()


def test_trim_takes_the_worn_edge_off(azulejar, tmp_path, panel):
    azulejar("puzzle", panel, *SIZE, "--trim", 0.125, "-o", "out")
    whole = pixels(panel)
    for tile in truth_in(tmp_path / "out")["tiles"]:
        top, left = 64 * tile["row"] + 8, 64 * tile["col"] + 8
        inside = whole[top : top + 48, left : left + 48]
        np.testing.assert_array_equal(pixels(tmp_path / "out" / "tiles" / tile["file"]), inside)


def test_a_half_rim_is_laid_around_the_whole_tiles(azulejar, tmp_path, panel):
    azulejar("puzzle", panel, *SIZE, "--turned", "--half-rim", "-o", "puzzle")
    halves = [tile.get("half") for tile in truth_in(tmp_path / "puzzle")["tiles"]]
    assert [halves.count(kind) for kind in (None, "both")] == [6, 4]
    solve = ("solve", "puzzle/tiles", "-o", "out", "-m", "mgc", "--preset", "fast")
    shown = azulejar(*solve)
    assert "6 whole tiles, 10 half tiles, 4 quarter tiles." in shown
    assert "perfect        yes" in azulejar("evaluate", "out", "puzzle")
    # The rim is cut through the middle of its tiles, so the panel is one tile smaller.
    assert sorted(pixels(tmp_path / "out" / "panel.png").shape) == [3, 64 * 3, 64 * 4]
    azulejar("render", "out", "-o", "again.png", "--tile-size", 64)
    np.testing.assert_array_equal(
        pixels(tmp_path / "again.png"), pixels(tmp_path / "out" / "panel.png")
    )


def test_light_differs_from_tile_to_tile(azulejar, refused, tmp_path, panel):
    for light in ("none", "strong"):
        azulejar("puzzle", panel, *SIZE, "--light", light, "-o", light)
    tiles = [
        np.stack([pixels(path) for path in sorted((tmp_path / light / "tiles").glob("*.png"))])
        for light in ("none", "strong")
    ]
    assert tiles[0].shape == tiles[1].shape
    assert (tiles[1].mean((1, 2, 3)) / tiles[0].mean((1, 2, 3))).std() > 0.05
    assert truth_in(tmp_path / "none") == truth_in(tmp_path / "strong")
    told = refused("puzzle", panel, *SIZE, "--light", "dark", "-o", "dark")
    assert "Choose from none, mild, medium, strong." in told


def test_a_mask_of_another_size_is_refused(refused, tmp_path, panel):
    (tmp_path / "mask.txt").write_text("##\n##", encoding="utf-8")
    told = refused("puzzle", panel, *SIZE, "--mask", "mask.txt", "-o", "out")
    assert "The mask has 2 rows × 2 cols, but the panel 4 × 5." in told


def test_tile_size_is_as_asked(azulejar, tmp_path, panel):
    azulejar("puzzle", panel, *SIZE, "--tile-size", 28, "-o", "out")
    shapes = {pixels(path).shape for path in (tmp_path / "out" / "tiles").iterdir()}
    assert shapes == {(28, 28, 3)}


def test_the_same_seed_gives_the_same_puzzle(azulejar, tmp_path, panel, contents):
    for name, seed in [("one", 3), ("again", 3), ("other", 4)]:
        azulejar("puzzle", panel, *SIZE, "--turned", "--seed", seed, "-o", name)
    assert contents(tmp_path / "one") == contents(tmp_path / "again")
    one, other = truth_in(tmp_path / "one"), truth_in(tmp_path / "other")
    assert (one["seed"], other["seed"]) == (3, 4)
    assert one["tiles"] != other["tiles"]


def test_overwrite_leaves_no_tile_of_the_old_puzzle(azulejar, refused, tmp_path, panel):
    azulejar("puzzle", panel, *SIZE, "-o", "out")
    (tmp_path / "out" / "notes.txt").write_text("mine")
    arguments = ("puzzle", panel, "--rows", 2, "--cols", 3, "-o", "out")
    assert "out exists already and was left as it is." in refused(*arguments)
    azulejar(*arguments, "--overwrite")
    assert len(list((tmp_path / "out" / "tiles").iterdir())) == 6
    assert (tmp_path / "out" / "notes.txt").read_text() == "mine"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--rows", 0, "--cols", 5), "A panel cannot have 0 rows × 5 cols. Give 1 or more."),
        (("--rows", 4, "--cols", 20), "which are no square tiles."),
        ((*SIZE, "--trim", 0.5), "A trim of 0.5 cannot be taken off."),
        (("--rows", 200, "--cols", 250), "leave less than 4 px for a tile"),
        ((*SIZE, "--tile-size", 1), "4 × 5 tiles of 1 px cannot be made."),
        (("--rows", 1, "--cols", 1, "--half-rim"), "has no half rim. Give 2 rows"),
        ((*SIZE, "--half-rim", "--trim", 0.24), "leaves less than 4 px of half tiles."),
        ((*SIZE, "--half-rim", "--light", "mild"), "A half rim cannot be combined with light"),
    ],
)
def test_what_cannot_be_cut_is_refused(refused, panel, arguments, told):
    assert told in refused("puzzle", panel, *arguments, "-o", "out")


def test_a_picture_that_is_not_there(refused):
    message = refused("puzzle", "panel.jpg", *SIZE, "-o", "out")
    assert "Cannot read panel.jpg: No such file or directory. Check the path." in message


def test_a_broken_picture(refused, tmp_path, panel):
    (tmp_path / "broken.png").write_bytes(panel.read_bytes()[:5000])
    assert "broken.png is broken" in refused("puzzle", "broken.png", *SIZE, "-o", "out")


def test_a_decompression_bomb(refused, tmp_path):
    Image.new("1", (20_000, 20_000)).save(tmp_path / "bomb.png")
    assert "bomb.png has more than" in refused("puzzle", "bomb.png", *SIZE, "-o", "out")


def test_a_folder_that_is_no_puzzle_is_never_touched(refused, tmp_path, panel):
    (tmp_path / "out" / "tiles").mkdir(parents=True)
    (tmp_path / "out" / "tiles" / "only copy.tif").write_text("precious")
    message = refused("puzzle", panel, *SIZE, "-o", "out", "--overwrite")
    assert "so --overwrite will not touch it" in message


def test_a_full_disk(refused, puzzles, panel):
    sizes = [path.stat().st_size for path in (puzzles / "upright" / "tiles").iterdir()]
    message = refused("puzzle", panel, *SIZE, "-o", "out", file_limit=int(np.median(sizes)))
    assert "Could not write" in message
    assert "free some space" in message
