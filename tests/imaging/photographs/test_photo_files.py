"""Which photographs to import, and under which names."""

import numpy as np
import pytest
from PIL import Image

from azulejar.errors import AzulejarError
from azulejar.imaging.photographs.photo_files import check_size, find_photographs


def put(path):
    path.parent.mkdir(exist_ok=True)
    Image.new("RGB", (8, 8)).save(path)
    return path


def test_files_and_folders_are_taken_once_in_natural_order(tmp_path):
    two, ten = put(tmp_path / "in" / "a2.jpg"), put(tmp_path / "in" / "a10.png")
    (tmp_path / "in" / "notes.txt").write_text("no picture")
    put(tmp_path / "in" / ".hidden.png")
    found = find_photographs([tmp_path / "in", ten])
    assert [source.path for source in found] == [two, ten]
    assert [source.name for source in found] == ["a2", "a10"]


@pytest.mark.parametrize("other", ["more/x.jpg", "more/X.png", "in/x.jpg"])
def test_two_photographs_of_one_name_are_refused(tmp_path, other):
    put(tmp_path / "in" / "x.png")
    paths = [tmp_path / "in", put(tmp_path / other)]
    with pytest.raises(AzulejarError, match="same names"):
        find_photographs(paths)


@pytest.mark.parametrize("name", ["a\nb", "a\x1bb", "..a", "=cmd", "a:b", "é" * 121, "\u202eab"])
def test_hostile_names_are_refused(tmp_path, name):
    try:
        put(tmp_path / "in" / f"{name}.png")
    except OSError:
        pytest.skip("this disk has no such names")
    with pytest.raises(AzulejarError, match=r"no photographs|tiles cannot have"):
        find_photographs([tmp_path / "in"])


def test_what_is_not_there_is_said(tmp_path):
    with pytest.raises(AzulejarError, match="no file or folder"):
        find_photographs([tmp_path / "nowhere"])
    with pytest.raises(AzulejarError, match="no photographs"):
        find_photographs([tmp_path])


def test_a_folder_of_heic_alone_says_what_to_do(tmp_path):
    (tmp_path / "IMG_1.heif").touch()
    with pytest.raises(AzulejarError, match=r"IMG_1\.heif is a HEIC picture.*to JPEG"):
        find_photographs([tmp_path])
    put(tmp_path / "a.png")
    assert len(find_photographs([tmp_path])) == 1


def test_a_photograph_that_is_too_wide_is_refused(tmp_path):
    path = tmp_path / "wide.png"
    Image.fromarray(np.zeros((1, 100_000), np.uint8)).save(path)
    with pytest.raises(AzulejarError, match="100000×1 px"):
        check_size(path)


def test_the_checksum_is_that_of_the_file(tmp_path):
    (source,) = find_photographs([put(tmp_path / "a.png")])
    before = source.checksum()
    source.path.write_bytes(source.path.read_bytes() + b"\0")
    assert source.checksum() != before
