"""Finding: all tiles of a photograph in reading order, with how much speaks for each."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.imaging.photographs.agreement import agree
from azulejar.imaging.photographs.background import LIKE_TABLE, learn_background, to_lab
from azulejar.imaging.photographs.candidates import (
    NEAR,
    first_tiles,
    is_alike,
    more_tiles,
    quads_in,
    select,
)
from azulejar.imaging.photographs.fitting import Fit, fit
from azulejar.imaging.photographs.lens import Lens, no_lens
from azulejar.imaging.photographs.plane import Plane, fit_plane
from azulejar.imaging.photographs.quads import Quad
from azulejar.imaging.photographs.strips import Pyramid, View
from azulejar.imaging.photographs.walls import expected_walls

REDUCED = 1600  # longest side in pixels of the copy in which tiles are looked for
USUAL = 2.0  # Lab: contrast that the texture of a table may have
FINE = 320.0  # pixels that a side has when it is last looked at
SQUARE = 1.15  # a picture's longer side over its shorter, of a single tile that fills it
BARE = 0.9  # of a picture that looks like its own rim: a table with no tile on it
ROUNDS = 2  # of fitting sides and all tiles in turn
ROW = 0.5  # of a side: tiles whose middles differ by less in height lie in one row


@dataclass(frozen=True)
class Found:
    """A tile's corners [4, 2] in pixels, clockwise from the one nearest to the top left, pixel
    centres at whole numbers; ``support`` is the share of its outline along which an edge is
    seen, ``misfit`` by which fraction it differs from a square of the common size.
    """

    corners: Quad
    support: float
    misfit: float
    whole_frame: bool = False


@dataclass(frozen=True)
class Finding:
    """The tiles of a photograph in reading order, what its lens does, and what was looked at."""

    tiles: tuple[Found, ...]
    lens: Lens
    view: View
    quads: tuple[Quad, ...]


def find_tiles(picture: NDArray[np.uint8]) -> Finding:
    """All tiles in a photograph uint8 [H, W, 3]."""
    view = _view(picture)
    quads = quads_in(view)
    fits = first_tiles(view, quads)
    if not fits:
        lens = no_lens(picture.shape)
        return Finding(_whole_frame(picture, view), lens, view, tuple(quads))
    plane = fit_plane(np.array([each.quad for each in fits]), picture.shape)
    fits = more_tiles(view, plane, [each for each in fits if is_alike(plane, each)])
    plane = fit_plane(np.array([each.quad for each in fits]), picture.shape)
    walls = expected_walls(plane, picture.shape)
    corners = [each.quad for each in fits]
    for _ in range(ROUNDS):  # what one gains in exactness shows the next where to look
        fits = select(
            [
                fit(view, quad, NEAR, FINE, plane, walls) or each
                for quad, each in zip(corners, fits, strict=True)
            ]
        )
        agreement = agree(fits, picture.shape)
        plane, walls, corners = agreement.plane, agreement.walls, list(agreement.corners)
    found = [_found(each, quad, plane) for each, quad in zip(fits, corners, strict=True)]
    return Finding(tuple(in_reading_order(found)), plane.lens, view, tuple(quads))


def in_reading_order(tiles: list[Found]) -> list[Found]:
    """Row by row from the top, each from the left."""
    if not tiles:
        return []
    middles = np.array([each.corners.mean(axis=0) for each in tiles])
    side = np.median([np.ptp(each.corners, axis=0).min() for each in tiles])
    rows: list[list[int]] = []
    for k in np.argsort(middles[:, 1], kind="stable"):
        if rows and middles[k, 1] - np.mean(middles[rows[-1], 1]) < ROW * side:
            rows[-1].append(int(k))
        else:
            rows.append([int(k)])
    return [tiles[k] for row in rows for k in sorted(row, key=lambda k: middles[k, 0])]


def _view(picture: NDArray[np.uint8]) -> View:
    scale = min(1.0, REDUCED / max(picture.shape))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    background = learn_background(to_lab(np.asarray(small, np.uint8)), scale)
    return View(Pyramid.of(picture), background, USUAL)


def _whole_frame(picture: NDArray[np.uint8], view: View) -> tuple[Found, ...]:
    """The picture itself as the tile, if it may be one cropped to the glaze."""
    height, width = picture.shape[:2]
    bare = (view.background.difference < LIKE_TABLE).mean()
    if max(height, width) > SQUARE * min(height, width) or bare > BARE:
        return ()
    right, bottom = width - 0.5, height - 0.5
    corners = np.array([[-0.5, -0.5], [right, -0.5], [right, bottom], [-0.5, bottom]])
    return (Found(corners, 0.0, 0.0, whole_frame=True),)


def _found(each: Fit, corners: Quad, plane: Plane) -> Found:
    corners = np.roll(corners, -int(np.argmin(corners.sum(axis=1))), axis=0)
    return Found(corners, each.support, float(plane.misfit(each.quad[None])[0]))
