"""Pages with pictures beside them, which need nothing from anywhere else."""

import re
from html import escape
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from azulejar.outputs.page import page
from azulejar.system.atomic import replacing

PICTURES = "pictures"  # the folder beside a page that holds nothing but its pictures
QUALITY = 85


def write_page(path: Path, title: str, body: str, script: str = "") -> None:
    """Write a page whose ``body`` is HTML; ``script`` names a file of this folder."""
    code = f"<script>\n{_resource(script)}</script>\n" if script else ""
    text = page(escape(title), body, head="", style=_resource("web_page.css"), foot=code)
    with replacing(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _resource(name: str) -> str:
    """The text of a file of this folder."""
    return files("azulejar.evaluation.tables").joinpath(name).read_text(encoding="utf-8")


def picture_name(panel: str, key: str) -> str:
    """A name for a picture of a panel that no other picture has."""
    return f"{re.sub(r'[^A-Za-z0-9_-]+', '-', panel)}-{key[:16]}.jpg"


def write_jpeg(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write a picture [H, W, 3], whole or not at all."""
    # Without subsampling, which would wash out thin coloured lines.
    options = {"quality": QUALITY, "subsampling": 0, "optimize": True}
    with replacing(path) as temporary:
        Image.fromarray(picture).save(temporary, "JPEG", **options)


def image(name: str, alt: str) -> str:
    """A picture of the page, loaded once it comes into sight; a click opens it alone."""
    source = f"{PICTURES}/{quote(name)}"
    return f'<a href="{source}"><img loading="lazy" src="{source}" alt="{escape(alt)}"></a>'


def remove_others(folder: Path, names: set[str]) -> None:
    """Remove pictures that the page in ``folder`` no longer shows."""
    for path in (folder / PICTURES).glob("*.jpg"):
        if path.name not in names:
            path.unlink()
