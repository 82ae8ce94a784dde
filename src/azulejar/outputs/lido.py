"""A panel and its tiles as LIDO 1.1, the XML in which museums hand records to portals.

Each tile is a record of its own that "is part of" the panel's; putting the panel together is an
event with its method, person and day. Elements stand in the order of the schema:
https://lido-schema.org/schema/v1.1/lido-v1.1.html
"""

import os
import re
from collections.abc import Iterable
from pathlib import Path
from xml.etree import ElementTree

from azulejar.core.solution import PlacedTile, Solution
from azulejar.outputs.records import (
    Provenance,
    describe_building_place,
    describe_method,
    describe_tile_place,
    tiles_of_panel,
)
from azulejar.outputs.wording import format_probability
from azulejar.system.atomic import replacing

LIDO = "http://www.lido-schema.org"
XML = "http://www.w3.org/XML/1998/namespace"
SCHEMA = "http://www.lido-schema.org https://lido-schema.org/schema/v1.1/lido-v1.1.xsd"
TERMS = "http://terminology.lido-schema.org"
URI, LOCAL = f"{TERMS}/lido00099", f"{TERMS}/lido00100"  # kinds of identifiers
IS_PART_OF = f"{TERMS}/lido00574"
KINDS = {"panel": ("tile panel", "painel de azulejos"), "tile": ("tile", "azulejo")}
NOT_XML = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
Element = ElementTree.Element


def write_lido(
    path: str | os.PathLike[str], solution: Solution, panel: int, about: Provenance
) -> None:
    """Write a panel of a solution and its tiles as LIDO records.

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
        >>> from azulejar import Assembly, Provenance, Solution, write_lido
        >>> solution = Solution.of(Assembly.of([0, 0], [0, 1], [0, 3]), ("a.png", "b.png"))
        >>> about = Provenance("Panel 1", "https://museum.example", "2026-11-17")
        >>> with tempfile.TemporaryDirectory() as home:
        ...     write_lido(Path(home, "panel"), solution, 0, about)
        ...     text = Path(home, "panel").read_text(encoding="utf-8")
        >>> "https://museum.example/tile/b" in text
        True
    """
    ElementTree.register_namespace("lido", LIDO)
    tree = ElementTree.ElementTree(make_lido(solution, panel, about))
    ElementTree.indent(tree)
    with replacing(Path(path)) as temporary:
        tree.write(temporary, encoding="UTF-8", xml_declaration=True)


def make_lido(solution: Solution, panel: int, about: Provenance) -> Element:
    """Return the element ``lidoWrap`` with the record of the panel, then those of its tiles."""
    tiles = tiles_of_panel(solution, panel)
    wrap = Element(_name("lidoWrap"))
    wrap.set("{http://www.w3.org/2001/XMLSchema-instance}schemaLocation", SCHEMA)
    _add_panel(wrap, solution, panel, tiles, about)
    for tile in tiles:
        _add_tile(wrap, panel, tile, about)
    return wrap


def _add_panel(
    wrap: Element, solution: Solution, panel: int, tiles: list[PlacedTile], about: Provenance
) -> None:
    address = about.panel_address(panel)
    described = _add_record(wrap, address, "panel")
    identified = _add(described, "objectIdentificationWrap")
    _add(identified, "titleWrap/titleSet/appellationValue", about.title)
    _add_repository(identified, about, f"panel {panel + 1}")
    sizes = {"rows": max(t.row for t in tiles) + 1, "cols": max(t.col for t in tiles) + 1}
    _add_note(identified, f"{len(tiles)} tiles put together from photographs.")
    _add_sizes(identified, [(name, "tiles", str(count)) for name, count in sizes.items()])
    _add_event(described, solution, about)
    _add_administration(wrap[-1], address, about, [])


def _add_tile(wrap: Element, panel: int, tile: PlacedTile, about: Provenance) -> None:
    address = about.tile_address(tile)
    described = _add_record(wrap, address, "tile")
    identified = _add(described, "objectIdentificationWrap")
    _add(identified, "titleWrap/titleSet/appellationValue", tile.number)
    written = [(kind, text) for kind in ("code", "mark") if (text := getattr(tile, kind))]
    if written:
        inscriptions = _add(identified, "inscriptionsWrap")
        for what, text in written:
            one = _add(inscriptions, "inscriptions", type=f"{what} on the back")
            _add(one, "inscriptionTranscription", text)
    _add_repository(identified, about, tile.number, tile.crate)
    notes = [describe_tile_place(tile), describe_building_place(tile), tile.note or ""]
    _add_note(identified, *notes)
    if tile.thickness is not None:
        _add_sizes(identified, [("thickness", "mm", f"{tile.thickness:g}")])
    related = _add(described, "objectRelationWrap/relatedWorksWrap/relatedWorkSet")
    work = _add(related, "relatedWork")
    _add(work, "displayObject", f"{about.title}: {describe_tile_place(tile)}")
    _add(work, "object/objectID", about.panel_address(panel), type=URI)
    kind = _add(related, "relatedWorkRelType")
    _add(kind, "conceptID", IS_PART_OF, type=URI)
    _add(kind, "term", "is part of", lang="en")
    pictures = [] if tile.iiif is None else [f"{tile.iiif}/full/max/0/default.jpg"]
    _add_administration(wrap[-1], address, about, pictures)


def _add_record(wrap: Element, address: str, kind: str) -> Element:
    """Add a record; return its descriptive part, which has the kind of object already."""
    record = _add(wrap, "lido")
    _add(record, "lidoRecID", f"{address}/lido", type=LOCAL)
    _add(record, "objectPublishedID", address, type=URI)
    described = _add(record, "descriptiveMetadata", lang="en")
    work_type = _add(described, "objectClassificationWrap/objectWorkTypeWrap/objectWorkType")
    for language, term in zip(("en", "pt"), KINDS[kind], strict=True):
        _add(work_type, "term", term, lang=language)
    return described


def _add_repository(
    identified: Element, about: Provenance, number: str, crate: str | None = None
) -> None:
    place = _add(identified, "repositoryWrap/repositorySet")
    if about.museum:
        _add(place, "repositoryName/legalBodyName/appellationValue", about.museum)
    _add(place, "workID", number, type="inventory number")
    if crate:
        _add(place, "repositoryLocation/namePlaceSet/appellationValue", f"Crate {crate}")


def _add_note(identified: Element, *texts: str) -> None:
    wrap = _add(identified, "objectDescriptionWrap")
    for text in filter(None, texts):
        _add(wrap, "objectDescriptionSet/descriptiveNoteValue", text)


def _add_sizes(identified: Element, sizes: Iterable[tuple[str, str, str]]) -> None:
    """Add measurements: kind, unit and value."""
    wrap = _add(identified, "objectMeasurementsWrap/objectMeasurementsSet/objectMeasurements")
    for kind, unit, value in sizes:
        one = _add(wrap, "measurementSet")
        _add(one, "measurementType", kind)
        _add(one, "measurementUnit", unit)
        _add(one, "measurementValue", value)


def _add_event(described: Element, solution: Solution, about: Provenance) -> None:
    event = _add(described, "eventWrap/eventSet/event")
    _add(event, "eventType/term", "Reassembly", lang="en")
    if about.by:
        actor = _add(event, "eventActor/actorInRole/actor", type=f"{TERMS}/lido00163")  # a person
        _add(actor, "nameActorSet/appellationValue", about.by)
    day = _add(event, "eventDate/date")
    _add(day, "earliestDate", about.date)
    _add(day, "latestDate", about.date)
    _add(event, "eventMethod/term", describe_method(solution))
    sure = solution.mean_confidence
    if sure is not None:
        text = f"Mean confidence of the tiles' places: {format_probability(sure)}"
        _add(event, "eventDescriptionSet/descriptiveNoteValue", text)


def _add_administration(
    record: Element, address: str, about: Provenance, pictures: list[str]
) -> None:
    administration = _add(record, "administrativeMetadata", lang="en")
    wrap = _add(administration, "recordWrap")
    _add(wrap, "recordID", f"{address}/lido", type=LOCAL)
    _add(wrap, "recordType/term", "item-level record", lang="en")
    _add(wrap, "recordSource/legalBodyName/appellationValue", about.publisher)
    _add(wrap, "recordInfoSet/recordMetadataDate", about.date)
    for picture in pictures:
        representation = _add(administration, "resourceWrap/resourceSet/resourceRepresentation")
        _add(representation, "linkResource", picture)


def _name(tag: str) -> str:
    return f"{{{LIDO}}}{tag}"


def _add(
    parent: Element, path: str, text: str | None = None, *, type: str | None = None,
    lang: str | None = None,
) -> Element:  # fmt: skip
    """Add nested elements; return the innermost, which gets text and attributes."""
    for tag in path.split("/"):
        parent = ElementTree.SubElement(parent, _name(tag))
    parent.text = None if text is None else NOT_XML.sub("\ufffd", text)
    if type is not None:
        parent.set(_name("type"), type)
    if lang is not None:
        parent.set(f"{{{XML}}}lang", lang)
    return parent
