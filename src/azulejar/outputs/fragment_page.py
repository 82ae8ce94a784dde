"""The page on which a person confirms or refuses joins of fragments."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.imaging.fragments.joins import LIST, Join
from azulejar.imaging.fragments.poses import Fragment
from azulejar.imaging.photographs.importing import FRAGMENTS
from azulejar.outputs.html import write_html
from azulejar.outputs.mosaics import data_uri
from azulejar.system.natural_order import natural_order

NAME = "joins.html"
SIDE, SMALL = 240, 96  # pixels of a tile, and of a fragment
CLOTH = 90  # grey level around fragments


def write_fragment_page(folder: Path, joins: Sequence[Join], left: Sequence[Fragment]) -> Path:
    """Write joins.html into the folder of the fragments; return its path."""
    path = folder / FRAGMENTS / NAME
    write_html(
        path,
        "fragments.html",
        title="Fragments",
        list=LIST,
        made=[_card(join) for join in joins if join.is_made],
        likely=[_card(join) for join in joins if not join.is_made],
        left=[_shown(each) for each in left],
    )
    return path


def _card(join: Join) -> dict[str, object]:
    members = sorted(join.tile.fragments, key=lambda each: natural_order(each.file))
    return {
        "name": Path(join.file).stem,
        "picture": data_uri(on_cloth(join.tile.picture), SIDE),
        "probability": join.tile.probability,
        "confirmed": join.verdict,
        "fragments": [_shown(each) for each in members],
    }


def _shown(fragment: Fragment) -> dict[str, str]:
    return {
        "name": Path(fragment.file).stem,
        "picture": data_uri(on_cloth(fragment.picture), SMALL),
    }


def on_cloth(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Lay a picture [H, W, 4] in the middle of a grey square [S, S, 3]."""
    side = max(picture.shape[:2])
    square = Image.new("RGB", (side, side), (CLOTH,) * 3)
    shown = Image.fromarray(picture)
    square.paste(shown, ((side - shown.width) // 2, (side - shown.height) // 2), shown)
    return np.asarray(square)
