"""Pictures to small copies and descriptions."""

import io

import numpy as np
from PIL import Image

from azulejar.collection.intake.encoding import describe_tiles, encode_pictures
from azulejar.imaging.picture import read_tile
from azulejar.measures import get_measure


def pictures(count, size=64, seed=0):
    rng = np.random.default_rng(seed)
    found = []
    for i in range(count):
        rough = rng.integers(0, 256, (8, 8, 3), np.uint8)
        stream = io.BytesIO()
        Image.fromarray(rough).resize((size, size), Image.Resampling.BICUBIC).save(stream, "PNG")
        found.append((f"{i}.png", stream.getvalue()))
    return found


def test_any_split_into_blocks_gives_the_same():
    block = pictures(5)
    whole = encode_pictures((), block)
    parts = [encode_pictures((), block[:2]), encode_pictures((), block[2:])]
    for name in ("pixels", "descriptions", "scales"):
        joined = np.concatenate([getattr(part, name) for part in parts])
        np.testing.assert_array_equal(getattr(whole, name), joined)


def test_a_broken_picture_is_told_and_the_others_stay():
    block = pictures(3)
    good = encode_pictures((), block)
    block[1] = ("torn.png", block[1][1][:60])
    found = encode_pictures((), block)
    assert list(found.broken) == [1]
    assert "torn.png" in found.broken[1]
    assert not found.descriptions[4:8].any()
    np.testing.assert_array_equal(found.descriptions[8:], good.descriptions[8:])


def test_pixels_are_those_of_the_file(tmp_path):
    [(name, content)] = pictures(1, size=120)
    path = tmp_path / name
    path.write_bytes(content)
    np.testing.assert_array_equal(
        encode_pictures((), [(name, content)]).pixels[0], read_tile(path, 50)
    )


def test_scores_come_near_those_of_the_measure(painted_museum):
    collection, _ = painted_museum
    pixels = np.asarray(collection.pixels[:6])
    descriptions, scales = describe_tiles(pixels)
    full = descriptions.astype(np.float32) * scales[..., None]
    twin = get_measure("twin")
    twin.prepare(pixels)
    expected = twin.anchor @ twin.partner.T
    assert np.corrcoef((full[:, 0] @ full[:, 1].T).ravel(), expected.ravel())[0, 1] > 0.999
