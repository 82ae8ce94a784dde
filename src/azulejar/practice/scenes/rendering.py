"""Render the kinds of photographs that people take of tiles, with their true corners."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from azulejar.practice.scenes.arrangements import (
    TilePose,
    lay_chart,
    lay_grid,
    lay_rows,
    lay_scattered,
    lay_single,
)
from azulejar.practice.scenes.camera import Camera, aim, distort, distort_picture, expose
from azulejar.practice.scenes.objects import Piece, Thing, draw_chart, make_piece, put_things
from azulejar.practice.scenes.textures import TEXTURES

THICKNESS = 0.06  # of a tile, in sides
MARGIN = 0.12  # rendered around the picture, for the lens to look at
LAYERS = 5  # of clay between table and glaze
CHART_STEP = 40  # pixels from one patch of a chart to the next, before it is photographed


@dataclass(frozen=True)
class Scene:
    """What is on the table and how it is photographed; angles in degrees, blur in pixels."""

    textures: tuple[str, ...]
    arrange: Callable[[int, np.random.Generator], list[TilePose]]
    tilt: float = 14
    lens: float = 0.04
    light: float = 0.25
    blur: tuple[float, float] = (0.6, 1.6)
    things: bool = False
    flat: bool = False


_TABLES = ("light cloth", "wood", "paper", "dark cloth")
_TABLES_WITH_THINGS = ("light cloth", "wood", "dark cloth", "paper")
SCENES = {
    "dark cloth": Scene(("dark cloth",), lay_scattered),
    "light cloth": Scene(("light cloth",), lay_scattered),
    "wood": Scene(("wood",), lay_scattered),
    "paper": Scene(("paper",), lay_scattered),
    "scanner": Scene(
        ("scanner",), lay_grid, tilt=0, lens=0, light=0.02, blur=(0.4, 0.7), flat=True
    ),
    "grid": Scene(_TABLES, lay_grid),
    "touching": Scene(_TABLES, lay_rows),
    "single": Scene(_TABLES, lay_single, blur=(0.8, 2.5)),
    "with things": Scene(_TABLES_WITH_THINGS, lay_scattered, things=True),
    "empty": Scene(_TABLES_WITH_THINGS, lay_scattered, things=True),
}


@dataclass(frozen=True)
class RenderedPhoto:
    """A photograph uint8 [H, W, 3] and the true corners [n, 4, 2] of its n tiles in pixels,
    clockwise from each tile's own top left; pixel centres have whole numbers.
    """

    picture: NDArray[np.uint8]
    corners: NDArray[np.float64]


def render_scene(
    scene: Scene,
    tiles: Sequence[NDArray[np.uint8]],
    shape: tuple[int, int],
    seed: int,
    *,
    lamp: Sequence[float] = (1.0, 1.0, 1.0),
    chart: bool = False,
) -> RenderedPhoto:
    """Lay ``tiles``, each [s, s, 3], or fragments [s, s, 4], on a table; photograph as [H, W, 3].

    ``lamp`` is the brightness of the three channels, beside the small differences that every
    photograph has; with ``chart`` a colour chart lies beside the tiles.
    """
    random = np.random.default_rng(seed)
    poses = scene.arrange(max(len(tiles), 6), random)[: max(len(tiles), 6)]
    beside = [lay_chart(poses, np.random.default_rng([seed, 1]))] if chart else []
    camera, strength = _set_up(scene, poses, beside, shape, random)
    wide = Camera(camera.turn, camera.shift, camera.focal, _widen(shape))
    texture = TEXTURES[scene.textures[random.integers(len(scene.textures))]]
    picture = _table(wide, texture, random)
    things = put_things(poses, random) if scene.things else []
    sides = [_side(wide, each) for each in poses]
    pieces = [make_piece(tile, random, int(sides[0])) for tile in tiles]
    light = random.uniform(0, 2 * np.pi)
    height = 0.01 if scene.flat else THICKNESS
    for thing in things:
        _draw_thing(picture, wide, thing)
    for outline in beside:
        colours = draw_chart(CHART_STEP)
        seen, place = _warp(wide, np.dstack([colours, np.ones_like(colours[..., :1])]), outline, 0)
        _cover(picture, place, seen[..., :3], seen[..., 3])
    for piece, each in zip(pieces, poses, strict=False):
        _draw_shadow(picture, wide, piece, each, height, light)
    for piece, each in zip(pieces, poses, strict=False):
        _draw(picture, wide, piece, each, height)
    bent = distort_picture(picture, shape, strength)
    found = [
        camera.project(np.column_stack([each.corners(), np.full(4, height)])) for each in poses
    ]
    corners = [distort(quad, shape, strength) for quad in found[: len(tiles)]]
    return RenderedPhoto(
        expose(bent, random, random.uniform(*scene.blur), scene.light, lamp),
        np.array(corners).reshape(-1, 4, 2),
    )


def _set_up(
    scene: Scene,
    poses: list[TilePose],
    beside: list[NDArray[np.float64]],
    shape: tuple[int, int],
    random: np.random.Generator,
) -> tuple[Camera, float]:
    """Return the camera that sees the tiles and what lies ``beside``, and its lens' strength."""
    room = 0.15
    flat = np.concatenate([*(each.corners(1 + 2 * room) for each in poses), *beside])
    points = np.column_stack([flat, np.zeros(len(flat))])
    focal = 60.0 if scene.flat else random.uniform(0.9, 1.6)
    tilt = np.radians(scene.tilt * random.uniform(0, 1))
    spin = random.normal(0, 0.01) if scene.flat else random.normal(0, 0.06)
    strength = scene.lens * random.uniform(-1, 1)
    return aim(shape, points, tilt, spin, focal), strength


def _widen(shape: tuple[int, int]) -> tuple[int, int]:
    height, width = (round(n * (1 + 2 * MARGIN)) // 2 * 2 + n % 2 for n in shape)
    return height, width


def _table(camera: Camera, texture: Callable, random: np.random.Generator) -> NDArray[np.float32]:
    """Render the bare table [H, W, 3] as the camera sees it."""
    height, width = camera.shape
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], float)
    on_table = cv2.perspectiveTransform(corners[None], np.linalg.inv(camera.plane(0.0)))[0]
    low, high = on_table.min(axis=0), on_table.max(axis=0)
    scale = 0.9 * max(width, height) / max(high - low)
    size = np.ceil((high - low) * scale).astype(int) + 2
    laid = texture(random, (int(size[1]), int(size[0])))
    place = np.array([[1 / scale, 0, low[0]], [0, 1 / scale, low[1]], [0, 0, 1]])
    return np.asarray(
        cv2.warpPerspective(
            laid, camera.plane(0.0) @ place, (width, height), flags=cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        )
    )  # fmt: skip


def _side(camera: Camera, pose: TilePose) -> float:
    quad = camera.project(np.column_stack([pose.corners(), np.zeros(4)]))
    return float(np.linalg.norm(quad - np.roll(quad, 1, axis=0), axis=1).mean())


def _warp(
    camera: Camera, image: NDArray, corners: NDArray[np.float64], height: float
) -> tuple[NDArray, tuple]:
    """Return a face [h, w, c] that lies within ``corners`` [4, 2] at ``height`` as the camera sees
    it, and where in the picture.
    """
    right, bottom = image.shape[1] - 0.5, len(image) - 0.5
    own = np.array([[-0.5, -0.5], [right, -0.5], [right, bottom], [-0.5, bottom]])
    quad = camera.project(np.column_stack([corners, np.full(4, height)]))
    low = np.maximum(np.floor(quad.min(axis=0)).astype(int) - 2, 0)
    high = np.minimum(np.ceil(quad.max(axis=0)).astype(int) + 3, camera.shape[::-1])
    matrix = cv2.getPerspectiveTransform(own.astype(np.float32), (quad - low).astype(np.float32))
    width, tall = np.maximum(high - low, 1).tolist()
    seen = cv2.warpPerspective(image, matrix, (width, tall), flags=cv2.INTER_LINEAR)
    return seen, (slice(low[1], low[1] + tall), slice(low[0], low[0] + width))


def _cover(picture: NDArray, place: tuple, colour: NDArray, alpha: NDArray) -> None:
    part = picture[place]
    alpha = alpha[: part.shape[0], : part.shape[1], None]
    colour = colour if colour.ndim == 1 else colour[: part.shape[0], : part.shape[1]]
    part += alpha * (colour - part)


def _draw(picture: NDArray, camera: Camera, piece: Piece, pose: TilePose, height: float) -> None:
    """Draw a piece: layers of clay, and the face on top."""
    for level in np.linspace(0, height, LAYERS):
        alpha, place = _warp(camera, piece.solid, pose.corners(), float(level))
        _cover(picture, place, 0.75 * piece.clay, alpha)
    premultiplied = np.dstack([piece.face * piece.solid[..., None], piece.solid])
    seen, place = _warp(camera, premultiplied, pose.corners(), height)
    alpha = seen[..., 3]
    _cover(picture, place, seen[..., :3] / np.maximum(alpha, 1e-3)[..., None], alpha)


def _draw_shadow(
    picture: NDArray, camera: Camera, piece: Piece, pose: TilePose, height: float, light: float
) -> None:
    """Draw the soft shadow that the light casts on the table, and the dark along the foot."""
    reach = height * 0.8 * np.array([np.cos(light), np.sin(light)])
    for shift, depth, soft in ((reach, 0.35, 0.02), (np.zeros(2), 0.3, 0.012)):
        room = len(piece.solid) // 8
        alpha = np.pad(piece.solid, room)
        soft_alpha = cv2.GaussianBlur(alpha, (0, 0), soft * len(piece.solid))
        side = pose.side * len(alpha) / len(piece.solid)
        grown = TilePose(pose.middle + shift, pose.angle, side)
        seen, place = _warp(camera, soft_alpha, grown.corners(), 0.0)
        part = picture[place]
        part *= 1 - depth * seen[: part.shape[0], : part.shape[1], None]


def _draw_thing(picture: NDArray, camera: Camera, thing: Thing) -> None:
    quad = camera.project(np.column_stack([thing.outline, np.zeros(len(thing.outline))]))
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(quad * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    picture += (mask / np.float32(255))[..., None] * (thing.colour - picture)
