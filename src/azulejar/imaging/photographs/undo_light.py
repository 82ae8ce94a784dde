"""Undo the uneven light of one photograph, and find its white."""

import numpy as np
from numpy.typing import NDArray

from azulejar.errors import AzulejarError
from azulejar.imaging.fragments.photographed import FoundFragment
from azulejar.imaging.photographs.chart import card_colour
from azulejar.imaging.photographs.colour import Colour, balance, grey_world
from azulejar.imaging.photographs.find import Detection
from azulejar.imaging.photographs.light import (
    ENOUGH_TILES,
    Channels,
    PhotoLight,
    as_channels,
    contradicts,
    fall_off,
    glaze_of,
    light_at,
    tile_white,
)
from azulejar.imaging.photographs.quads import pixel_places


def undo_light(
    picture: NDArray[np.uint8],
    tiles: list[NDArray[np.uint8]],
    fragments: list[FoundFragment],
    detection: Detection,
    colour: Colour,
) -> tuple[list[NDArray[np.uint8]], list[NDArray[np.uint8]], PhotoLight | None]:
    """Undo uneven light where requested and possible; return the pictures of tiles and fragments,
    and the light found.

    Those of all photographs are brought to a common white later, when all lights are known.
    """
    broken = [each.fragment.picture for each in fragments]
    if colour is Colour.GREY_WORLD:
        tiles, broken = (
            [balance(p, grey_world(picture)) for p in each] for each in (tiles, broken)
        )
        return tiles, broken, None
    light = None
    if colour is not Colour.OFF and len(tiles) >= ENOUGH_TILES:
        light = fall_off(detection.view.background)
    if light is not None:
        tiles, light = _even(tiles, detection, light)
    if light is not None:
        scale = detection.view.background.scale
        middles = [each.outline.mean(axis=0).reshape(1, 1, 2) for each in fragments]
        lit = [float(light_at(light, middle, scale)[0, 0]) for middle in middles]
        broken = [balance(b, np.full(3, 1 / there)) for b, there in zip(broken, lit, strict=True)]
    reference, source = _reference(picture, detection, colour, light)
    glaze, errors = glaze_of(np.array([tile_white(tile) for tile in tiles]))
    found = as_channels(glaze), errors, len(tiles), reference, source, light is not None
    return tiles, broken, PhotoLight(*found)


def _even(
    tiles: list[NDArray[np.uint8]], detection: Detection, light: NDArray[np.float32]
) -> tuple[list[NDArray[np.uint8]], NDArray[np.float32] | None]:
    """Divide tiles by the light, unless they contradict it; return them and the light, or None."""
    scale = detection.view.background.scale
    there = [
        light_at(light, pixel_places(found.corners, detection.lens, len(tile)), scale)[..., None]
        for found, tile in zip(detection.tiles, tiles, strict=True)
    ]
    whites = np.array([tile_white(tile) for tile in tiles])
    if contradicts(whites, np.array([each.mean() for each in there], float)):
        return tiles, None
    evened = [np.round(tile / each) for tile, each in zip(tiles, there, strict=True)]
    return [np.clip(tile, 0, 255).astype(np.uint8) for tile in evened], light


def _reference(
    picture: NDArray[np.uint8],
    detection: Detection,
    colour: Colour,
    light: NDArray[np.float32] | None,
) -> tuple[Channels | None, str]:
    """Return the white of a chart or card, and which of the two; None and "" without either.

    A card counts only on request: unlike a chart, other grey rectangles look like it.
    """
    if detection.chart is not None:
        white, quad, source = detection.chart.white, detection.chart.corners, "chart"
    elif detection.card is not None and colour is Colour.CHART:
        white, quad, source = card_colour(picture, detection.card), detection.card, "card"
    elif colour is Colour.CHART:
        raise AzulejarError(
            "grey-card-missing",
            "No colour chart or grey card was found.",
            "Lay one flat beside the tiles, or balance the colours another way.",
        )
    else:
        return None, ""
    if light is not None:
        middle = quad.mean(axis=0).reshape(1, 1, 2)
        white = white / light_at(light, middle, detection.view.background.scale)[0, 0]
    return as_channels(white), source
