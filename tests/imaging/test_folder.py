"""Folders of tiles as people have them."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from damaged_exif import DAMAGED
from numpy.typing import NDArray
from PIL import Image

from azulejar.errors import AzulejarError
from azulejar.imaging.folder import folder_classes, load_tiles


def noise(seed: int, width: int = 20, height: int | None = None) -> NDArray[np.uint8]:
    shape = (height or width, width, 3)
    return np.random.default_rng(seed).integers(0, 256, shape, dtype=np.uint8)


def put(folder: Path, name: str, pixels: NDArray[np.uint8]) -> None:
    Image.fromarray(pixels).save(folder / name)


def test_equal_tiles_are_kept_exactly_in_natural_order(tmp_path: Path) -> None:
    for i in (10, 2, 1):
        put(tmp_path, f"tile {i}.png", noise(i))
    tiles = load_tiles(tmp_path)
    assert tiles.files == ("tile 1.png", "tile 2.png", "tile 10.png")
    np.testing.assert_array_equal(tiles.pixels, [noise(1), noise(2), noise(10)])
    assert tiles.folder == tmp_path
    assert tiles.notes == ()


def test_names_with_upper_case_suffix_spaces_and_accents(tmp_path: Path) -> None:
    names = ("Água 3.PNG", "MNAz inv. 12 b.TIF", "painel_são joão.Bmp")
    for i, name in enumerate(names):
        put(tmp_path, name, noise(i))
    assert sorted(load_tiles(tmp_path).files) == sorted(names)


@pytest.mark.parametrize("n", [1, 2])
def test_very_few_tiles(tmp_path: Path, n: int) -> None:
    for i in range(n):
        put(tmp_path, f"{i}.png", noise(i))
    assert len(load_tiles(tmp_path)) == n


def test_the_largest_size_that_is_kept(tmp_path: Path) -> None:
    put(tmp_path, "a.png", noise(0, 128))
    assert load_tiles(tmp_path).size == 128
    put(tmp_path, "a.png", noise(0, 129))
    large = load_tiles(tmp_path)
    assert large.size == 64
    assert large.notes == ("1 of 1 tiles (129×129 px) were resampled to 64×64 px.",)


def test_unequal_tiles_get_their_median_side(tmp_path: Path) -> None:
    for i, side in enumerate((30, 40, 50)):
        put(tmp_path, f"{i}.png", np.full((side, side, 3), 60 * i, np.uint8))
    tiles = load_tiles(tmp_path)
    np.testing.assert_array_equal(
        tiles.pixels, np.broadcast_to([[[[0]]], [[[60]]], [[[120]]]], (3, 40, 40, 3))
    )
    assert tiles.notes == ("2 of 3 tiles (30×30 px to 50×50 px) were resampled to 40×40 px.",)


def test_not_quite_square_tiles_are_named(tmp_path: Path) -> None:
    put(tmp_path, "a.png", noise(0, 40))
    put(tmp_path, "b.png", noise(1, 44, 40))
    tiles = load_tiles(tmp_path)
    assert tiles.pixels.shape == (2, 41, 41, 3)
    assert tiles.notes[-1] == "Not quite square: b.png."
    assert not any("square" in note for note in load_tiles(tmp_path, any_shape=True).notes)


def test_a_long_picture_is_no_tile(tmp_path: Path) -> None:
    put(tmp_path, "whole wall.png", noise(0, 80, 40))
    with pytest.raises(AzulejarError, match=r"whole wall\.png is 80×40 px.*Crop it"):
        load_tiles(tmp_path)


def test_half_and_quarter_tiles_are_told_by_their_shapes(tmp_path: Path) -> None:
    for name, shape in {"a": (40, 40), "b": (40, 40), "c": (20, 40), "d": (20, 20)}.items():
        put(tmp_path, f"{name}.png", noise(ord(name), shape[1], shape[0]))
    tiles = load_tiles(tmp_path)
    assert tiles.halved is not None
    assert tiles.halved.tolist() == [[False, False], [False, False], [True, False], [True, True]]
    assert tiles.pixels.shape == (4, 40, 40, 3)
    assert tiles.notes[0] == "2 whole tiles, 1 half tile, 1 quarter tile."
    some = tiles.take([3, 0]).halved
    assert some is not None
    assert some.tolist() == [[True, True], [False, False]]
    assert load_tiles(tmp_path, any_shape=True).halved is None
    (tmp_path / "tiles.csv").write_text("file,half\nd,both\n", encoding="utf-8")
    listed = load_tiles(tmp_path, any_shape=True).halved
    assert listed is not None
    assert listed.tolist() == [*[[False, False]] * 3, [True, True]]


def test_a_quarter_photographed_from_nearer_is_known_by_the_list(tmp_path: Path) -> None:
    for name in "abcd":
        put(tmp_path, f"{name}.png", noise(ord(name), 40))
    (tmp_path / "tiles.csv").write_text("file,half\nd,both\n", encoding="utf-8")
    halved = load_tiles(tmp_path).halved
    assert halved is not None
    assert halved.tolist() == [*[[False, False]] * 3, [True, True]]


def test_a_speck_is_no_tile(tmp_path: Path) -> None:
    put(tmp_path, "dot.png", noise(0, 1))
    with pytest.raises(AzulejarError, match=r"dot\.png is only 1×1 px"):
        load_tiles(tmp_path)


def test_a_given_size_is_obeyed(tmp_path: Path) -> None:
    put(tmp_path, "a.png", noise(0, 20))
    assert load_tiles(tmp_path, size=10).pixels.shape == (1, 10, 10, 3)
    np.testing.assert_array_equal(load_tiles(tmp_path, size=20).pixels[0], noise(0, 20))
    with pytest.raises(AzulejarError, match="cannot be 0 px"):
        load_tiles(tmp_path, size=0)


def test_stray_files_are_passed_over_with_a_note(tmp_path: Path) -> None:
    put(tmp_path, "a.png", noise(0))
    for name in ("Thumbs.db", "read me.txt"):
        (tmp_path / name).write_bytes(b"stray")
    (tmp_path / "old.png").mkdir()
    tiles = load_tiles(tmp_path)
    assert tiles.files == ("a.png",)
    assert tiles.notes == ("Passed over what is no picture: old.png, read me.txt, Thumbs.db.",)


def test_hidden_files_and_the_table_go_without_a_note(tmp_path: Path) -> None:
    put(tmp_path, "a.png", noise(0))
    for name in (".DS_Store", "._a.png"):
        (tmp_path / name).write_bytes(b"stray")
    (tmp_path / "tiles.csv").write_text("file,crate\na,K 3\n")
    tiles = load_tiles(tmp_path)
    assert tiles.files == ("a.png",)
    assert tiles.notes == ()
    assert [known.crate for known in tiles.records] == ["K 3"]


def test_many_strays_are_counted_rather_than_named(tmp_path: Path) -> None:
    put(tmp_path, "a.png", noise(0))
    for i in range(9):
        (tmp_path / f"{i}.txt").touch()
    assert load_tiles(tmp_path).notes[0].endswith("4.txt and 4 more.")


def test_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(AzulejarError, match=r"There is no folder .*nowhere\. Check the path"):
        load_tiles(tmp_path / "nowhere")


def test_folder_that_is_a_file(tmp_path: Path) -> None:
    put(tmp_path, "a.png", noise(0))
    with pytest.raises(AzulejarError, match=r"a\.png is a file"):
        load_tiles(tmp_path / "a.png")


def test_folder_without_pictures(tmp_path: Path) -> None:
    with pytest.raises(AzulejarError, match=r"no tile pictures \(it is empty\)"):
        load_tiles(tmp_path)
    (tmp_path / "tiles").mkdir()
    with pytest.raises(AzulejarError, match=r"no tile pictures \(it holds tiles\)\. Give the"):
        load_tiles(tmp_path)


def test_all_broken_tiles_are_named_at_once(tmp_path: Path) -> None:
    put(tmp_path, "a.png", noise(0))
    whole = (tmp_path / "a.png").read_bytes()
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8 half a photograph")
    (tmp_path / "c.png").write_bytes(whole[: len(whole) // 2])  # its size can still be read
    with pytest.raises(AzulejarError, match=r"2 pictures in .* are broken.*b\.jpg, c\.png\."):
        load_tiles(tmp_path)


def test_heic_is_refused_alone_and_passed_over_among_others(tmp_path: Path) -> None:
    (tmp_path / "IMG_1.HEIC").write_bytes(b"of a phone")
    with pytest.raises(AzulejarError, match=r"IMG_1\.HEIC is a HEIC picture.*to JPEG"):
        load_tiles(tmp_path)
    put(tmp_path, "a.png", noise(0))
    notes = load_tiles(tmp_path).notes
    assert notes == ("Passed over HEIC pictures; convert them to JPEG first: IMG_1.HEIC.",)


def test_broken_tile_is_named(tmp_path: Path) -> None:
    put(tmp_path, "a.png", noise(0))
    (tmp_path / "b.jpg").write_bytes(b"\xff\xd8 half a photograph")
    with pytest.raises(AzulejarError, match=r"b\.jpg is broken.*Remove it"):
        load_tiles(tmp_path)


def test_truncated_tile_is_named(tmp_path: Path) -> None:
    put(tmp_path, "a.png", noise(0))
    put(tmp_path, "b.png", noise(1, 22))
    whole = (tmp_path / "b.png").read_bytes()
    (tmp_path / "b.png").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(AzulejarError, match=r"b\.png is broken.*Remove it"):
        load_tiles(tmp_path)


def test_two_files_for_one_inventory_number(tmp_path: Path) -> None:
    put(tmp_path, "a.png", noise(0))
    put(tmp_path, "a.bmp", noise(1))
    with pytest.raises(AzulejarError, match=r"a\.bmp and a\.png .*same tile"):
        load_tiles(tmp_path)


def test_name_in_an_old_encoding(tmp_path: Path) -> None:
    put(tmp_path, "a.png", noise(0))
    try:
        (tmp_path / "a.png").rename(tmp_path / b"s\xe3o.png".decode("utf-8", "surrogateescape"))
    except OSError:
        pytest.skip("this file system has no such names")
    with pytest.raises(AzulejarError, match=r"s\?o\.png .* is not UTF-8. Rename"):
        load_tiles(tmp_path)


def test_one_picture_with_two_names_is_refused_unless_both_are_meant(tmp_path: Path) -> None:
    put(tmp_path, "a.png", noise(0))
    put(tmp_path, "b.png", noise(1))
    shutil.copy(tmp_path / "a.png", tmp_path / "copy.png")
    put(tmp_path, "same pixels.bmp", noise(1))
    with pytest.raises(AzulejarError, match=r"a\.png and copy\.png in .* are the same picture"):
        load_tiles(tmp_path)
    tiles = load_tiles(tmp_path, any_shape=True)
    assert len(tiles) == 4
    assert tiles.notes == (
        "Identical pictures, all kept: a.png = copy.png, b.png = same pixels.bmp.",
    )


def test_plain_tiles_may_be_alike(tmp_path: Path) -> None:
    for name in "abc":
        put(tmp_path, f"{name}.png", np.full((20, 20, 3), 250, np.uint8))
    assert load_tiles(tmp_path).notes == ("Identical pictures, all kept: a.png = b.png = c.png.",)


@pytest.mark.parametrize(("width", "height"), [(800, 600), (600, 800), (900, 600), (250, 200)])
def test_photographs_of_a_table_are_no_tiles(tmp_path: Path, width: int, height: int) -> None:
    put(tmp_path, "table.png", noise(0, width, height))
    with pytest.raises(AzulejarError, match="no square tile") as raised:
        load_tiles(tmp_path)
    assert "import" in raised.value.remedy
    assert len(load_tiles(tmp_path, any_shape=True)) == 1


def test_tiles_cropped_by_hand_are_tiles(tmp_path: Path) -> None:
    """They are a few per cent off the square, and vary by some 10 % in size."""
    rng = np.random.default_rng(0)
    for i, (width, height) in enumerate(100 * np.exp(rng.normal(0, 0.1, (12, 1)))
                                        * np.exp(rng.normal(0, 0.03, (12, 2)))):  # fmt: skip
        put(tmp_path, f"{i}.png", noise(i, round(width), round(height)))
    assert len(load_tiles(tmp_path)) == 12


def test_tiles_of_two_sizes_are_refused_unless_they_are_meant(tmp_path: Path) -> None:
    for i in range(6):
        put(tmp_path, f"{i}.png", noise(i, 70 + i if i < 3 else 100 + i))
    with pytest.raises(AzulejarError, match=r"2\.png is 72×72 px and 3\.png is 103×103 px"):
        load_tiles(tmp_path)
    assert len(load_tiles(tmp_path, any_shape=True)) == 6


def test_a_photograph_may_have_been_taken_from_nearer(tmp_path: Path) -> None:
    """Sizes are compared within a photograph, as ``tiles.csv`` names it."""
    for i in range(6):
        put(tmp_path, f"{i}.png", noise(i, 70 + i if i < 3 else 140 + i))
    photos = ["far"] * 3 + ["near"] * 3

    def write_list() -> None:
        lines = [f"{i}.png,{photo}" for i, photo in enumerate(photos)]
        (tmp_path / "tiles.csv").write_text("\n".join(["file,photo", *lines]), encoding="utf-8")

    write_list()
    tiles = load_tiles(tmp_path)
    assert any("photographed from nearer" in note for note in tiles.notes)
    assert folder_classes(tiles).tolist() == [0] * 6
    put(tmp_path, "6.png", noise(6, 70))  # half as large as its neighbours on the table
    photos.append("near")
    write_list()
    with pytest.raises(AzulejarError, match=r"6\.png is 70×70 px and 3\.png is 143×143 px"):
        load_tiles(tmp_path)
    tiles = load_tiles(tmp_path, any_size=True)
    assert not any("photographed from nearer" in note for note in tiles.notes)
    assert folder_classes(tiles).tolist() == [1] * 6 + [0]


def test_names_that_change_the_terminal_are_refused(tmp_path: Path) -> None:
    put(tmp_path, "a\x1b[31m.png", noise(0))
    with pytest.raises(AzulejarError, match=r"'a\\x1b\[31m\.png' .* cannot be shown"):
        load_tiles(tmp_path)


def test_progress_runs_to_one(tmp_path: Path) -> None:
    for i in range(5):
        put(tmp_path, f"{i}.png", noise(i))
    fractions: list[float] = []
    load_tiles(tmp_path, on_progress=fractions.append)
    assert fractions == pytest.approx([0.2, 0.4, 0.6, 0.8, 1.0])


def test_a_note_names_tiles_whose_exif_data_are_damaged(tmp_path: Path) -> None:
    for i, block in enumerate((b"", DAMAGED["cut off"])):
        Image.fromarray(noise(i)).save(tmp_path / f"{i}.png", exif=block)
    (note,) = load_tiles(tmp_path).notes
    assert "EXIF" in note
    assert "1.png" in note
    assert "0.png" not in note
