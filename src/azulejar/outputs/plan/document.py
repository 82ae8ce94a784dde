"""``plan.pdf``: all pages in one file."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.core.solution import Solution
from azulejar.imaging.originals import Originals
from azulejar.imaging.picture import read_tile
from azulejar.knowledge.headings import Language
from azulejar.outputs.language import Words
from azulejar.outputs.plan.drawing import new_canvas
from azulejar.outputs.plan.pages import draw_list, draw_overview, draw_sheet
from azulejar.outputs.plan.sheets import Plan, PlanScale
from azulejar.system.atomic import replacing

DOTS_PER_POINT = 200 / 72
LARGEST_PICTURE = 800
_THREADS = 4


def write_plan(
    path: str | os.PathLike[str],
    solution: Solution,
    originals: Originals | None = None,
    scale: PlanScale | None = None,
    on_progress: Callable[[float], None] | None = None,
    *,
    title: str | None = None,
    language: Language = "en",
    rows_from: Literal["top", "bottom"] = "top",
) -> int:
    """Write a plan of a solution as PDF, for the people who lay the tiles.

    Every tile is read once, at about 200 dots an inch on the paper.

    Args:
        path: The PDF, which is written whole or not at all.
        solution: Where the tiles lie.
        originals: The full pictures of its tiles; by default those of the solution's ``folder``.
        scale: Size of the tiles on the paper; by default 14 cm drawn 1:5 on A4.
        on_progress: Called with the fraction done, from 0 to 1.
        title: Name of the panel; by default that of the tiles' folder.
        language: Of what it says: en or pt.
        rows_from: From where rows are counted, "top" or "bottom".

    Returns:
        The number of pages.

    Raises:
        AzulejarError: If a picture is missing, or tiles cannot be drawn at that scale.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> import azulejar
        >>> tiles, truth = azulejar.practice_puzzle(4, 4, size=24)
        >>> with tempfile.TemporaryDirectory() as home:
        ...     for file, picture in zip(tiles.files, tiles.pixels):
        ...         azulejar.write_picture(Path(home) / file, picture)
        ...     solution = azulejar.Solution.of(truth, tiles.files, folder=home)
        ...     azulejar.write_plan(f"{home}/plan.pdf", solution)
        3
    """
    originals = originals or Originals.of(solution)
    scale = scale or PlanScale()
    name = title or originals.folder.resolve().name or "Panel"
    plan = Plan(name, solution, scale, Words(language), rows_from)
    size = max(1, min(round(scale.side * DOTS_PER_POINT), LARGEST_PICTURE))
    pages = plan.pages  # raises for an impossible scale, before the long work
    pictures = _small_pictures(plan, originals, size, on_progress)
    with replacing(Path(path)) as temporary:
        _draw(plan, pictures, size, temporary)
    if on_progress:
        on_progress(1.0)
    return pages


def _small_pictures(
    plan: Plan, originals: Originals, size: int, on_progress: Callable[[float], None] | None
) -> dict[str, bytes]:
    """Return JPEGs of the placed tiles, as their files show them."""

    def small(file: str) -> bytes:
        jpeg = BytesIO()
        picture = Image.fromarray(read_tile(originals.folder / file, size))
        picture.save(jpeg, "JPEG", quality=85)
        return jpeg.getvalue()

    files = [tile.file for tile in plan.tiles]
    pictures: dict[str, bytes] = {}
    with ThreadPoolExecutor(_THREADS) as pool:
        for file, jpeg in zip(files, pool.map(small, files), strict=True):
            pictures[file] = jpeg
            if on_progress:
                on_progress(0.9 * len(pictures) / len(files))
    return pictures


def _draw(plan: Plan, pictures: dict[str, bytes], size: int, path: Path) -> None:
    canvas = new_canvas(path, plan.page, plan.say("Plan: {title}", title=plan.title))

    def end_page() -> None:
        canvas.bookmarkPage(f"page {canvas.getPageNumber()}")
        canvas.showPage()

    def picture(tile: int, side: int) -> NDArray[np.uint8]:
        image = Image.open(BytesIO(pictures[plan.tiles[tile].file]))
        return np.array(image.resize((side, side), Image.Resampling.BOX, reducing_gap=2.0))

    for number, box in enumerate(plan.boxes, start=1):
        draw_overview(canvas, plan, box, number, picture, size)
        end_page()
    for sheet in plan.sheets:
        draw_sheet(canvas, plan, sheet, pictures)
        end_page()
    draw_list(canvas, plan, end_page)
    canvas.save()
