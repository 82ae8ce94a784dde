"""The warning of pictures that may lie on their side."""

from damaged_exif import DAMAGED, orientation_block
from PIL import Image

from azulejar.imaging.orientation import orientation_doubt


def test_pictures_that_hide_their_orientation_are_named(tmp_path):
    blocks = {"good": orientation_block(), "plain": b"", "bad": DAMAGED["cut off"]}
    paths = [tmp_path / f"{name}.jpg" for name in blocks]
    for path, block in zip(paths, blocks.values(), strict=True):
        Image.new("RGB", (48, 32)).save(path, exif=block)
    (tmp_path / "broken.jpg").write_bytes(b"no picture")
    doubt = orientation_doubt([*paths, tmp_path / "broken.jpg"])
    assert doubt.code == "orientation-hidden"
    assert doubt.problem.endswith("which way up a picture is: bad.jpg.")
    assert orientation_doubt(paths[:2]) is None
