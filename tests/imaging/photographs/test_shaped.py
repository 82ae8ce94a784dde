"""Tiles that were cut to a shape, and their outer sides."""

import numpy as np
import pytest
from PIL import Image

from azulejar.core.edges import SIDES
from azulejar.imaging.folder import load_tiles
from azulejar.imaging.fragments.poses import STEP, resample
from azulejar.imaging.photographs.find import find_tiles
from azulejar.imaging.photographs.import_log import ImportLog
from azulejar.imaging.photographs.importing import import_tiles
from azulejar.imaging.photographs.quads import corner_distance, side_of
from azulejar.imaging.photographs.shaped import _completes, _Sawn, cut_in, find_shaped
from azulejar.imaging.picture import read_picture
from azulejar.practice.breaking import break_some
from azulejar.practice.scenes import SCENES, render_scene
from azulejar.practice.shaping import shape_top

SHAPE = (480, 720)


def outline_of(*line):
    """The outline of a tile with a line, from left to right, in the place of its top."""
    return resample(np.array([*line, (1, 1), (0, 1)], float), STEP)


def curved(rough=0.0):
    x = np.linspace(0, 1, 41)
    ragged = np.random.default_rng(0).normal(0, 1, 41) * rough
    return outline_of(*zip(x, 0.2 + 0.4 * x**2 + ragged, strict=True))


def test_a_smooth_cut_is_told_from_a_break():
    cut = cut_in(curved())
    assert cut.is_sawn
    assert cut.kept == pytest.approx([0, 0.4, 1, 0.8], abs=0.07)
    assert not cut_in(curved(0.03)).is_sawn


def test_whole_tiles_half_tiles_and_small_chips_are_not_cut_to_a_shape():
    assert cut_in(outline_of((0, 0), (1, 0))) is None
    assert not cut_in(outline_of((0, 0.5), (1, 0.5))).is_sawn
    assert not cut_in(outline_of((0, 0.15), (0.15, 0), (1, 0))).is_sawn


def test_shaped_tiles_are_imported_with_the_sides_that_were_cut_off(painted, tmp_path):
    tiles, mask = shape_top(painted, 4, 5, 1.0, "gable")
    cut = [tiles[k] for k in (0, 1, 3)]
    assert mask[0].all()
    photo = render_scene(SCENES["wood"], [*cut, *painted[-3:]], SHAPE, 1)
    Image.fromarray(photo.picture).save(tmp_path / "wood.png")
    import_tiles([tmp_path / "wood.png"], tmp_path / "tiles")
    found = [tile for tile in ImportLog(tmp_path / "tiles").all()[0].tiles if tile.outer]
    assert found  # not all are: a tile is about 100 px wide here
    for each in found:
        corners = np.array(each.corners)
        errors = [corner_distance(corners, quad) / side_of(quad) for quad in photo.corners[:3]]
        tile = int(np.argmin(errors))
        assert errors[tile] < 0.03
        solid = cut[tile][..., 3] > 127
        kept = [solid[0].mean(), solid[:, -1].mean(), solid[-1].mean(), solid[:, 0].mean()]
        first = np.linalg.norm(photo.corners[tile] - corners[0], axis=1).argmin()
        named = {(SIDES.index(side) + first) % 4 for side in each.outer.split()}
        assert named == {side for side in range(4) if kept[side] < 0.15}
        assert each.missing == pytest.approx(1 - solid.mean(), abs=0.05)
        assert each.note.startswith("cut to a shape")
        alpha = read_picture(tmp_path / "tiles" / each.file, alpha=True)[..., 3]
        assert (alpha < 128).mean() == pytest.approx(each.missing, abs=0.02)
    records = load_tiles(tmp_path / "tiles").records
    assert sorted(each.outer for each in found) == sorted(r.outer for r in records if r.outer)


def test_two_parts_of_a_tile_on_which_paint_goes_on_are_a_broken_one(painted):
    left = np.tri(96, dtype=bool)
    faces = [np.where(left[..., None], painted[7], 0), np.where(left[..., None], 0, painted[7])]
    one, rest = (_Sawn(None, face, face.any(axis=2)) for face in faces)
    stranger = _Sawn(None, np.where(left[..., None], 0, painted[12]), ~left)
    assert _completes(one, rest)
    assert _completes(one, rest._replace(face=np.rot90(rest.face), glaze=np.rot90(rest.glaze)))
    assert not _completes(one, stranger)
    assert not _completes(one, one._replace(glaze=np.ones_like(left)))


def test_broken_tiles_are_not_taken_for_shaped_ones(painted):
    photo = render_scene(SCENES["wood"], break_some(painted[:5], 2, 0), SHAPE, 2)
    assert find_shaped(photo.picture, find_tiles(photo.picture)) == []
