"""A IIIF Presentation 3 manifest: a canvas a panel, an annotation a tile.

https://iiif.io/api/presentation/3.0/
"""

from collections.abc import Iterable
from typing import Any

from azulejar.core.solution import PlacedTile, Solution
from azulejar.imaging.layout import Layout
from azulejar.outputs.places import loose_tiles, placed_tiles

CONTEXT = "http://iiif.io/api/presentation/3/context.json"
THUMBNAIL_SIDE = 400
Json = dict[str, Any]


def manifest(solution: Solution, layouts: Iterable[Layout], title: str, base_url: str) -> Json:
    """The manifest as it goes into JSON; ``layouts`` holds one panel each, as it was drawn.

    ``base_url`` is where manifest.json and the pictures will lie.
    """
    canvases = [_canvas(solution, layout, title, base_url) for layout in layouts]
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


def picture_name(panel: int) -> str:
    """File name of a panel's picture."""
    return f"panel_{panel + 1}.jpg"


def thumbnail_name(panel: int) -> str:
    """File name of a panel's small picture."""
    return f"panel_{panel + 1}_small.jpg"


def thumbnail_size(layout: Layout) -> tuple[int, int]:
    """Width and height in pixels."""
    share = min(1.0, THUMBNAIL_SIDE / max(layout.width, layout.height))
    return max(1, round(layout.width * share)), max(1, round(layout.height * share))


def _canvas(solution: Solution, layout: Layout, title: str, base_url: str) -> Json:
    """One panel; its tiles are comments on it, since viewers show those."""
    panel = layout.boxes[0].panel
    address = f"{base_url}/canvas/{panel + 1}"
    size = layout.width, layout.height
    tiles = [tile for tile in placed_tiles(solution) if tile.panel == panel]
    painting = {
        "id": f"{address}/painting/1",
        "type": "Annotation",
        "motivation": "painting",
        "body": _image(f"{base_url}/{picture_name(panel)}", *size),
        "target": address,
    }
    return {
        "id": address,
        "type": "Canvas",
        "label": {"none": [title], "en": [f"Panel {panel + 1}"]},
        "width": size[0],
        "height": size[1],
        "thumbnail": [_image(f"{base_url}/{thumbnail_name(panel)}", *thumbnail_size(layout))],
        "items": [_page(f"{address}/painting", [painting])],
        "annotations": [_page(f"{address}/tiles", [_tile(t, layout, address) for t in tiles])],
    }


def _tile(tile: PlacedTile, layout: Layout, canvas: str) -> Json:
    x, y = tile.col * layout.pitch, tile.row * layout.pitch
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
        "target": f"{canvas}#xywh={x},{y},{layout.size},{layout.size}",
    }


def _known(tile: PlacedTile) -> dict[str, list[str]]:
    """All that is known of a placed tile but its number; rows and cols count from 1."""
    known = {
        "Row": str(tile.row + 1),
        "Col": str(tile.col + 1),
        "Turn": f"{tile.turn}° clockwise",
        "Confidence": "" if tile.confidence is None else f"{tile.confidence:.2f}",
        "Crate": tile.crate,
        "Code": tile.code,
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


def _image(address: str, width: int, height: int) -> Json:
    return {
        "id": address,
        "type": "Image",
        "format": "image/jpeg",
        "width": width,
        "height": height,
    }


def _page(address: str, items: list[Json]) -> Json:
    return {"id": address, "type": "AnnotationPage", "items": items}
