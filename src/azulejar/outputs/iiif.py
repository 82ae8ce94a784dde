"""A folder to publish by IIIF: a Presentation 3 manifest, and the pictures it names.

A panel is a canvas, painted with its picture or with each tile by itself; a tile is an annotation
on it: https://iiif.io/api/presentation/3.0/
"""

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from PIL import Image

from azulejar.core.edges import turn_picture
from azulejar.core.solution import PlacedTile, Solution
from azulejar.errors import AzulejarError
from azulejar.imaging.layout import Layout
from azulejar.imaging.originals import Originals
from azulejar.imaging.picture import resize
from azulejar.imaging.render import render_whole
from azulejar.outputs.image_service import write_image_service
from azulejar.outputs.placement import loose_tiles, placed_tiles
from azulejar.outputs.wording import format_probability
from azulejar.system.atomic import new_folder

MARK = "manifest.json"
CONTEXT = "http://iiif.io/api/presentation/3/context.json"
THUMBNAIL_SIDE = 400
Json = dict[str, Any]


def folder_address(base_url: str) -> str:
    """Check the address of a folder on the web; return it without a slash at its end."""
    try:
        parts = urlsplit(base_url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        good = False
    if not good or parts.query or parts.fragment or not base_url.isascii() or " " in base_url:
        raise AzulejarError(
            "iiif-bad-address",
            "{address!r} is no address of a folder on the web.",
            "Give one such as https://museum.example/panels/42.",
            address=base_url,
        )
    return base_url.rstrip("/")


def write_iiif(
    folder: str | os.PathLike[str],
    solution: Solution,
    originals: Originals,
    layouts: list[Layout],
    base_url: str,
    *,
    title: str | None = None,
    each_tile: bool = False,
    overwrite: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> None:
    """Write the manifest and its pictures, all or nothing; ``layouts`` hold a panel each.

    Args:
        folder: The folder to write.
        solution: Where the tiles lie.
        originals: Their pictures.
        layouts: One panel each, in the size to be drawn.
        base_url: Where the folder will be published.
        title: Name of the panel; by default that of the tiles' folder.
        each_tile: Paint the canvas with every tile as a picture of its own.
        overwrite: Replace a folder that an earlier call wrote.
        on_progress: Called with the fraction done, from 0 to 1.
    """
    assembly = solution.assembly(originals.files)
    title = title or originals.folder.resolve().name or "Panel"
    options = {"quality": 90, "icc_profile": originals.profile}
    with new_folder(Path(folder), MARK, overwrite) as temporary:
        for i, layout in enumerate(layouts):

            def tell(fraction: float, done: int = i) -> None:
                if on_progress:
                    on_progress((done + fraction) / len(layouts))

            picture = Image.fromarray(render_whole(originals, assembly, layout, tell))
            name = _panel_name(layout.boxes[0].panel)
            picture.save(temporary / f"{name}.jpg", "JPEG", **options)
            write_image_service(temporary / name, picture, f"{base_url}/{name}", **options)
            small = picture.resize(thumbnail_size(layout), reducing_gap=2.0)
            small.save(temporary / f"{name}_small.jpg", "JPEG", **options)
            if each_tile:
                _write_tiles(temporary, solution, originals, layout, options)
        data = make_manifest(solution, layouts, title, base_url, each_tile=each_tile)
        text = json.dumps(data, ensure_ascii=False, indent=1)
        (temporary / MARK).write_text(text + "\n", encoding="utf-8")


def make_manifest(
    solution: Solution,
    layouts: Iterable[Layout],
    title: str,
    base_url: str,
    *,
    each_tile: bool = False,
) -> Json:
    """Return the manifest for JSON; the arguments are those of ``write_iiif``."""
    canvases = [_canvas(solution, layout, title, base_url, each_tile) for layout in layouts]
    return {
        "@context": CONTEXT,
        "id": f"{base_url}/manifest.json",
        "type": "Manifest",
        "label": {"none": [title]},
        "summary": {"en": ["Put together by azulejar from photographs of loose tiles."]},
        "metadata": _metadata(_about(solution)),
        "thumbnail": canvases[0]["thumbnail"],
        "items": canvases,
    }


def _panel_name(panel: int) -> str:
    """Return the name of a panel's picture, and of the folder for deep zoom."""
    return f"panel_{panel + 1}"


def _tile_name(tile: PlacedTile) -> str:
    """Return a URL-safe name for a tile's picture."""
    return f"tiles/{tile.panel + 1}_{tile.row + 1}_{tile.col + 1}.jpg"


def _write_tiles(
    folder: Path, solution: Solution, originals: Originals, layout: Layout, options: Json
) -> None:
    """Write each tile of a panel as it lies there, unless an image server has it."""
    number = {file: i for i, file in enumerate(originals.files)}
    for tile in placed_tiles(solution):
        if tile.panel == layout.boxes[0].panel and tile.iiif is None:
            (folder / "tiles").mkdir(exist_ok=True)
            pixels = turn_picture(originals(number[tile.file], layout.size), tile.turn // 90)
            _, _, width, height = _place(tile, layout)
            if pixels.shape[:2] != (height, width):  # a half tile
                pixels = resize(pixels, height, width)
            Image.fromarray(pixels).save(folder / _tile_name(tile), "JPEG", **options)


def thumbnail_size(layout: Layout) -> tuple[int, int]:
    """Return width and height of a panel's small picture in pixels."""
    share = min(1.0, THUMBNAIL_SIDE / max(layout.width, layout.height))
    return max(1, round(layout.width * share)), max(1, round(layout.height * share))


def _canvas(solution: Solution, layout: Layout, title: str, base_url: str, each_tile: bool) -> Json:
    """Return one panel; its tiles are comments on it, since viewers show those."""
    panel = layout.boxes[0].panel
    address = f"{base_url}/canvas/{panel + 1}"
    size = layout.width, layout.height
    tiles = [tile for tile in placed_tiles(solution) if tile.panel == panel]
    service = f"{base_url}/{_panel_name(panel)}"
    zoom = [{"id": service, "type": "ImageService3", "profile": "level0"}]
    parts = [({**_image(f"{service}.jpg", *size), "service": zoom}, address)]
    if each_tile:
        parts = [(_body(tile, layout, base_url), _target(tile, layout, address)) for tile in tiles]
    paintings = [
        {
            "id": f"{address}/painting/{i}",
            "type": "Annotation",
            "motivation": "painting",
            "body": body,
            "target": target,
        }
        for i, (body, target) in enumerate(parts, 1)
    ]
    return {
        "id": address,
        "type": "Canvas",
        "label": {"none": [title], "en": [f"Panel {panel + 1}"]},
        "width": size[0],
        "height": size[1],
        "thumbnail": [_image(f"{service}_small.jpg", *thumbnail_size(layout))],
        "items": [_page(f"{address}/painting", paintings)],
        "annotations": [_page(f"{address}/tiles", [_tile(t, layout, address) for t in tiles])],
    }


def _body(tile: PlacedTile, layout: Layout, base_url: str) -> Json:
    """Return the picture of a tile, turned as it lies.

    Its server is not named as a service: viewers would ask that for unturned pictures, and Mirador
    4.0 fails where some pictures of a canvas have a service and others have none.
    """
    if tile.iiif is None:
        return _image(f"{base_url}/{_tile_name(tile)}", *_place(tile, layout)[2:])
    return _image(f"{tile.iiif}/full/max/{tile.turn}/default.jpg")


def _place(tile: PlacedTile, layout: Layout) -> tuple[int, int, int, int]:
    """Return the left and top side, width and height of a tile's place in pixels."""
    (x, width), (y, height) = layout.across(layout.boxes[0])[tile.col], layout.down[tile.row]
    return x, y, width, height


def _target(tile: PlacedTile, layout: Layout, canvas: str) -> str:
    x, y, width, height = _place(tile, layout)
    return f"{canvas}#xywh={x},{y},{width},{height}"


def _tile(tile: PlacedTile, layout: Layout, canvas: str) -> Json:
    known = _known(tile)
    return {
        "id": f"{canvas}/tile/{tile.row + 1}-{tile.col + 1}",
        "type": "Annotation",
        "label": {"none": [tile.number]},
        "metadata": _metadata({"Inventory number": [tile.number], **known}),
        "motivation": "commenting",
        "body": [
            {
                "type": "TextualBody",
                "purpose": "identifying",
                "value": tile.number,
                "format": "text/plain",
            },
            {
                "type": "TextualBody",
                "purpose": "describing",
                "value": "; ".join(f"{name}: {value[0]}" for name, value in known.items()),
                "format": "text/plain",
                "language": "en",
            },
        ],
        "target": _target(tile, layout, canvas),
    }


def _known(tile: PlacedTile) -> dict[str, list[str]]:
    """Return what is known of a placed tile but its number; rows and cols count from 1."""
    known = {
        "Row": str(tile.row + 1),
        "Col": str(tile.col + 1),
        "Turn": f"{tile.turn}° clockwise",
        "Confidence": "" if tile.confidence is None else format_probability(tile.confidence),
        "Crate": tile.crate,
        "Code": tile.code,
        "Mark on the back": tile.mark,
        "Thickness": None if tile.thickness is None else f"{tile.thickness:g} mm",
        "Wall": tile.wall,
        "Level": tile.level,
        "Section": tile.section,
        "Note": tile.note,
        "File": tile.file,
    }
    return {name: [value] for name, value in known.items() if value}


def _about(solution: Solution) -> dict[str, list[str]]:
    loose = [tile.number for tile in loose_tiles(solution)]
    about = {
        "Tiles": [str(len(solution.tiles))],
        "Size": [f"{solution.rows} rows × {solution.cols} cols"],
        "Tiles without a place": loose,
        "Measure": [solution.measure or ""],
        "Solver": [solution.solver or ""],
        "Version of azulejar": [solution.version or ""],
    }
    return {name: values for name, values in about.items() if any(values)}


def _metadata(entries: dict[str, list[str]]) -> list[Json]:
    return [{"label": {"en": [n]}, "value": {"none": values}} for n, values in entries.items()]


def _image(address: str, width: int | None = None, height: int | None = None) -> Json:
    """Return an image body; its size may be known to its server only."""
    size = {} if width is None else {"width": width, "height": height}
    return {"id": address, "type": "Image", "format": "image/jpeg", **size}


def _page(address: str, items: list[Json]) -> Json:
    return {"id": address, "type": "AnnotationPage", "items": items}
