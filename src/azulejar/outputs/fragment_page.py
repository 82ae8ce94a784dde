"""The page on which a person confirms or refuses joins of fragments."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.imaging.fragments.join_list import LIST, ListedJoin
from azulejar.imaging.fragments.poses import Fragment
from azulejar.imaging.photographs.importing import FRAGMENTS
from azulejar.imaging.picture import read_picture
from azulejar.outputs.html import write_html
from azulejar.outputs.mosaics import data_uri

NAME = "joins.html"
SIDE, SMALL = 240, 96  # pixels of a tile, and of a fragment
CLOTH = 90  # grey level around fragments


def write_fragment_page(
    folder: Path, joins: Sequence[ListedJoin], left: Sequence[Fragment]
) -> Path:
    """Write joins.html into the folder of the fragments; return its path."""
    path = folder / FRAGMENTS / NAME
    write_html(
        path,
        "fragments.html",
        title="Fragments",
        list=LIST,
        made=[_card(folder, join) for join in joins if join.is_made],
        likely=[_card(folder, join) for join in joins if not join.is_made],
        left=[_shown(folder, each.file) for each in left],
    )
    return path


def _card(folder: Path, join: ListedJoin) -> dict[str, object]:
    return {
        "name": Path(join.tile).stem,
        "picture": _drawn(folder / join.picture, SIDE),
        "probability": join.probability,
        "confirmed": join.verdict,
        "fragments": [_shown(folder, file) for file in join.files],
    }


def _shown(folder: Path, file: str) -> dict[str, str]:
    return {"name": Path(file).stem, "picture": _drawn(folder / FRAGMENTS / file, SMALL)}


def _drawn(path: Path, side: int) -> str:
    return data_uri(on_cloth(read_picture(path, alpha=True)), side)


def on_cloth(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lay a picture [H, W, 4] in the middle of a grey square [S, S, 3]."""
    side = max(picture.shape[:2])
    square = Image.new("RGB", (side, side), (CLOTH,) * 3)
    shown = Image.fromarray(picture)
    square.paste(shown, ((side - shown.width) // 2, (side - shown.height) // 2), shown)
    return np.asarray(square)
