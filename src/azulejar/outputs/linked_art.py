"""A panel and its tiles as Linked Art, the JSON-LD that museums publish on the web.

The panel is an object with the tiles as parts. That a tile lies where it lies is an assignment,
with its row, col, turn and confidence, by whom, when and how: https://linked.art/model/
"""

import json
import os
from pathlib import Path
from typing import Any

from azulejar.core.solution import PlacedTile, Solution
from azulejar.outputs.records import (
    Provenance,
    describe_building_place,
    describe_method,
    describe_tile_place,
    tiles_of_panel,
)
from azulejar.system.atomic import replacing

CONTEXT = "https://linked.art/ns/v1/linked-art.json"
AAT = "http://vocab.getty.edu/aat"
# Terms of the Art & Architecture Thesaurus.
INVENTORY_NUMBER = ("300312355", "Accession Number")
PREFERRED = ("300404670", "Preferred Term")
DESCRIPTION = ("300435416", "Description")
BRIEF_TEXT = ("300418049", "Brief Text")
INSCRIPTION = ("300435414", "Inscription")
THICKNESS = ("300055646", "Thickness")
MILLIMETRES = ("300379097", "millimeters")
Json = dict[str, Any]


def write_linked_art(
    path: str | os.PathLike[str], solution: Solution, panel: int, about: Provenance
) -> None:
    """Write a panel of a solution and its tiles as Linked Art.

    Args:
        path: The file to write.
        solution: The panel, or several.
        panel: Which of them, counted from 0.
        about: Title, addresses, day, person and institution.

    Raises:
        AzulejarError: If no tile lies in that panel.

    Examples:
        >>> import tempfile
        >>> from pathlib import Path
        >>> from azulejar import Assembly, Provenance, Solution, write_linked_art
        >>> solution = Solution.of(Assembly.of([0, 0], [0, 1], [0, 3]), ("a.png", "b.png"))
        >>> about = Provenance("Panel 1", "https://museum.example", "2026-11-17")
        >>> with tempfile.TemporaryDirectory() as home:
        ...     write_linked_art(Path(home, "panel"), solution, 0, about)
        ...     text = Path(home, "panel").read_text(encoding="utf-8")
        >>> "https://museum.example/tile/b" in text
        True
    """
    text = json.dumps(make_linked_art(solution, panel, about), ensure_ascii=False, indent=1)
    with replacing(Path(path)) as temporary:
        temporary.write_text(text + "\n", encoding="utf-8")


def make_linked_art(solution: Solution, panel: int, about: Provenance) -> Json:
    """Return the panel for JSON, with all its tiles as parts."""
    tiles = tiles_of_panel(solution, panel)
    rows, cols = (max(t.row for t in tiles) + 1, max(t.col for t in tiles) + 1)
    custodian = {"type": "Group", "_label": about.museum} if about.museum else None
    return {
        "@context": CONTEXT,
        "id": about.panel_address(panel),
        "type": "HumanMadeObject",
        "_label": about.title,
        "classified_as": [{"type": "Type", "_label": "Tile panel (painel de azulejos)"}],
        "identified_by": [
            {"type": "Name", "classified_as": [_term(PREFERRED)], "content": about.title}
        ],
        "referred_to_by": [_text(DESCRIPTION, f"{len(tiles)} tiles put together from photographs")],
        "dimension": [_count("rows", rows, "tiles"), _count("cols", cols, "tiles")],
        **({"current_custodian": [custodian]} if custodian else {}),
        "part": [_tile(tile, solution, panel, about) for tile in tiles],
    }


def _tile(tile: PlacedTile, solution: Solution, panel: int, about: Provenance) -> Json:
    notes = [_text(DESCRIPTION, describe_tile_place(tile))]
    if place := describe_building_place(tile):
        notes.append(_text(DESCRIPTION, place))
    notes += [_text(INSCRIPTION, text) for text in (tile.code, tile.mark) if text]
    if tile.note:
        notes.append(_text(DESCRIPTION, tile.note))
    data = {
        "id": about.tile_address(tile),
        "type": "HumanMadeObject",
        "_label": tile.number,
        "classified_as": [{"type": "Type", "_label": "Tile (azulejo)"}],
        "identified_by": [
            {
                "type": "Identifier",
                "classified_as": [_term(INVENTORY_NUMBER)],
                "content": tile.number,
            }
        ],
        "referred_to_by": notes,
        "attributed_by": [_assignment(tile, solution, panel, about)],
    }
    if tile.thickness is not None:
        unit = _term(MILLIMETRES, "MeasurementUnit")
        size = {"classified_as": [_term(THICKNESS)], "value": tile.thickness, "unit": unit}
        data["dimension"] = [{"type": "Dimension", **size}]
    if tile.iiif is not None:
        image = {"type": "DigitalObject", "format": "image/jpeg"}
        image["access_point"] = [  # type: ignore[assignment]
            {"id": f"{tile.iiif}/full/max/0/default.jpg", "type": "DigitalObject"}
        ]
        shown = {"type": "VisualItem", "digitally_shown_by": [image]}
        data["representation"] = [shown]
    return data


def _assignment(tile: PlacedTile, solution: Solution, panel: int, about: Provenance) -> Json:
    """Return the statement that a tile lies in its place."""
    place = [
        _count("row", tile.row + 1, "tiles from the top"),
        _count("col", tile.col + 1, "tiles from the left"),
        _count("turn", tile.turn, "degrees clockwise"),
    ]
    if tile.confidence is not None:
        place.append(_count("confidence", round(tile.confidence, 4), "probability"))
    by = {"carried_out_by": [{"type": "Person", "_label": about.by}]} if about.by else {}
    return {
        "type": "AttributeAssignment",
        "_label": "Place in the panel",
        "assigned": [
            {"id": about.panel_address(panel), "type": "HumanMadeObject", "_label": about.title},
            *place,
        ],
        **by,
        "timespan": {
            "type": "TimeSpan",
            "begin_of_the_begin": f"{about.date}T00:00:00Z",
            "end_of_the_end": f"{about.date}T23:59:59Z",
        },
        "technique": [{"type": "Type", "_label": describe_method(solution)}],
    }


def _term(term: tuple[str, str], kind: str = "Type") -> Json:
    return {"id": f"{AAT}/{term[0]}", "type": kind, "_label": term[1]}


def _text(term: tuple[str, str], content: str) -> Json:
    kind = _term(term) | {"classified_as": [_term(BRIEF_TEXT)]}
    return {"type": "LinguisticObject", "classified_as": [kind], "content": content}


def _count(name: str, value: float, unit: str) -> Json:
    return {
        "type": "Dimension",
        "classified_as": [{"type": "Type", "_label": name}],
        "value": value,
        "unit": {"type": "MeasurementUnit", "_label": unit},
    }
