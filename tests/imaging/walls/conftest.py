"""A painted panel on a wall that is not quite flat, photographed at an angle."""

from functools import cache

import cv2
import numpy as np
import pytest

from azulejar.practice.painting import paint_panel

ROWS, COLS, SIDE = 6, 8, 48
RIM = 1.5  # tiles of plain wall around the panel
painted = cache(paint_panel)


def on_wall(rows=ROWS, cols=COLS, side=SIDE, joint=2, seed=0, tone=150):
    """Photograph [H, W, 3] and true crossings [rows + 1, cols + 1, 2], from its corner."""
    random = np.random.default_rng(seed)
    panel = painted(rows, cols, side, seed).copy()
    for line in range(rows + 1):
        panel[max(0, line * side - joint // 2) : line * side + (joint + 1) // 2] = tone
    for line in range(cols + 1):
        panel[:, max(0, line * side - joint // 2) : line * side + (joint + 1) // 2] = tone
    edge = round(RIM * side)
    wall = cv2.copyMakeBorder(panel, edge, edge, edge, edge, cv2.BORDER_CONSTANT, value=(190,) * 3)
    height, width = wall.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    seen = corners + random.uniform(-0.08, 0.08, (4, 2)).astype(np.float32) * [width, height]
    homography = cv2.getPerspectiveTransform(corners, seen.astype(np.float32))

    def place(x, y):
        bulge = 0.06 * side * np.sin(np.pi * x / width) * np.sin(np.pi * y / height)
        points = np.stack([x + bulge, y - bulge], axis=-1).reshape(1, -1, 2)
        return cv2.perspectiveTransform(points, homography)[0].reshape(*np.shape(x), 2)

    # The photograph is made by asking for each of its pixels where on the wall it lies.
    y, x = np.mgrid[:height, :width] + 0.5
    asked = np.stack([x, y], axis=-1)
    at = asked.copy()
    for _ in range(30):
        at += asked - place(at[..., 0], at[..., 1])
    at = at.astype(np.float32) - np.float32(0.5)
    photo = cv2.remap(wall, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderValue=(190,) * 3)
    col, row = np.meshgrid(np.arange(cols + 1.0), np.arange(rows + 1.0))
    crossings = place(col * side + edge, row * side + edge)
    noisy = photo + random.normal(0, 4, photo.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), crossings


@pytest.fixture(scope="session")
def wall():
    return on_wall()


@pytest.fixture(scope="session")
def make_wall():
    """The function that paints and photographs a wall."""
    return on_wall


@pytest.fixture(scope="session")
def rough():
    """A function that moves the corners of crossings by up to ``off`` tiles."""

    def move(crossings, off=0.45, seed=0):
        random = np.random.default_rng(seed)
        corners = crossings[[0, 0, -1, -1], [0, -1, -1, 0]]
        side = np.linalg.norm(np.diff(crossings, axis=1), axis=-1).mean()
        return corners + random.uniform(-off, off, (4, 2)) * side / np.sqrt(2)

    return move
