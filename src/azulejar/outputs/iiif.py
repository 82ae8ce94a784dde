"""A folder to publish: manifest.json, and the pictures it speaks of."""

import json
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image

from azulejar.core.solution import Solution
from azulejar.errors import AzulejarError
from azulejar.imaging.folder import Originals
from azulejar.imaging.layout import Layout
from azulejar.imaging.render import render_whole
from azulejar.outputs.manifest import manifest, picture_name, thumbnail_name, thumbnail_size
from azulejar.system.atomic import new_folder

MARK = "manifest.json"


def folder_address(base_url: str) -> str:
    """The address of a folder on the web, checked, without a slash at its end."""
    try:
        parts = urlsplit(base_url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        good = False
    if not good or parts.query or parts.fragment or not base_url.isascii() or " " in base_url:
        raise AzulejarError(
            f"{base_url!r} is no address of a folder on the web.",
            "Give one such as https://museum.example/panels/42.",
        )
    return base_url.rstrip("/")


def write_iiif(
    folder: Path,
    solution: Solution,
    originals: Originals,
    layouts: list[Layout],
    base_url: str,
    *,
    title: str | None = None,
    overwrite: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> None:
    """Write the manifest and two JPEGs a panel, all or nothing; ``layouts`` hold a panel each.

    ``title`` is by default the name of the tiles' folder.
    """
    assembly = solution.assembly(originals.files)
    title = title or originals.folder.resolve().name or "Panel"
    options = {"quality": 90, "icc_profile": originals.profile}
    with new_folder(folder, MARK, overwrite) as temporary:
        for i, layout in enumerate(layouts):

            def tell(fraction: float, done: int = i) -> None:
                if on_progress:
                    on_progress((done + fraction) / len(layouts))

            picture = Image.fromarray(render_whole(originals, assembly, layout, tell))
            panel = layout.boxes[0].panel
            picture.save(temporary / picture_name(panel), "JPEG", **options)
            small = picture.resize(thumbnail_size(layout), reducing_gap=2.0)
            small.save(temporary / thumbnail_name(panel), "JPEG", **options)
        data = manifest(solution, layouts, title, base_url)
        text = json.dumps(data, ensure_ascii=False, indent=1)
        (temporary / MARK).write_text(text + "\n", encoding="utf-8")
