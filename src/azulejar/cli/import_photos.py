"""``azulejar import``: from photographs on a table to tile pictures."""

import threading
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import bar, console, exit_stopped, say, warn
from azulejar.cli.messages import phrase
from azulejar.core.halves import halved_by_names
from azulejar.errors import AzulejarError
from azulejar.imaging.orientation import orientation_doubt
from azulejar.imaging.photographs.colour import Colour
from azulejar.imaging.photographs.import_log import ImportLog
from azulejar.imaging.photographs.importing import (
    FRAGMENTS,
    REVIEW,
    ImportSettings,
    close_up_path,
    import_photographs,
)
from azulejar.imaging.photographs.levelling import level_photographs, light_doubt, report_light
from azulejar.imaging.photographs.photo_files import PhotoFile, find_heic, find_photographs
from azulejar.imaging.photographs.review import write_contact_sheets
from azulejar.imaging.photographs.sizes import check_side, sizes_by_kind
from azulejar.imaging.picture import describe_passed_over
from azulejar.imaging.tile_shapes import describe_halves
from azulejar.knowledge.inventory import NAME
from azulejar.outputs.wording import count_noun
from azulejar.system.interrupts import stopped_by_interrupt

SHOWN = 20  # doubtful tiles that are listed


def command(
    photos: Annotated[
        list[Path],
        typer.Argument(metavar="PHOTOS", help="Photographs, or folders of them."),
    ],
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="TILES", help="Folder for the tiles.")
    ],
    colour: Annotated[
        Colour,
        typer.Option(
            metavar="auto|chart|glaze|off",
            help="Bring all photographs to one light: by a colour chart or grey card in each "
            "(chart), by the glaze of their tiles (glaze), or by what is sure (auto).",
        ),
    ] = Colour.AUTO,
    review: Annotated[
        bool, typer.Option("--review", help="Write every photograph with the outlines found.")
    ] = False,
    half_tiles: Annotated[
        bool,
        typer.Option(
            "--half-tiles",
            help="Look for half and quarter tiles too, which lie by themselves among whole ones.",
        ),
    ] = False,
    side: Annotated[
        float | None,
        typer.Option(
            metavar="CM",
            help="Side of the whole tiles in cm, if known: the size of every tile is told by it.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Find the tiles in photographs, straighten each, and write them with tiles.csv.

    Photographs are only read. A stopped import goes on with the same command; photographs can be
    added to the same TILES later. Doubtful tiles are listed and shown on TILES/review. Fragments of
    broken tiles that lie beside whole ones are kept in TILES/fragments (see join). Tiles that were
    cut to a shape are found by their smooth cut; the sides that it took off are called outer sides.
    Tiles that are narrower than the others are listed, since one of two sides was cut.

    Example: azulejar import photographs -o my_tiles --review
    """
    if side is not None:
        check_side(side)
    sources = find_photographs(photos)
    if heic := find_heic(photos):
        warn(f"  {describe_passed_over([path.name for path in heic])}")
    doubt = orientation_doubt(source.path for source in sources)
    if doubt is not None:
        warn(f"  {phrase(doubt)}")
    records = ImportLog(output)
    settings = ImportSettings(colour, review, half_tiles)
    with stopped_by_interrupt() as stop:
        renewed, failed = _import(records, sources, settings, stop)
        if not stop.is_set():
            level_photographs(records)
        records.write_list(renewed, side)
        _print_tiles(records)
        if side is not None:
            _print_sizes(records, side)
        _print_light(records)
    if stop.is_set():
        exit_stopped("what is finished is kept. Continue with the same command.")
    if failed:
        raise AzulejarError(
            "photos-not-imported",
            "{failed} of {total} photographs could not be imported, as said above.",
            "Correct them or leave them out, and run the same command again.",
            failed=failed,
            total=len(sources),
        )


def _import(
    records: ImportLog, sources: list[PhotoFile], settings: ImportSettings, stop: threading.Event
) -> tuple[set[str], int]:
    """Import under a bar, and return the photographs imported and how many failed."""
    failures: list[AzulejarError] = []

    def report(error: AzulejarError) -> None:
        failures.append(error)
        warn(f"  {phrase(error)}")

    with bar("Importing photographs") as progress:
        renewed = import_photographs(records, sources, settings, stop, progress, report)
    return renewed, len(failures)


def _print_sizes(records: ImportLog, side: float) -> None:
    """Print how many tiles of which size there are."""
    for each in sizes_by_kind(records.all(), side):
        say(
            f"  {count_noun(each.tiles, f'{each.kind} tile')}: {each.long:.1f} × {each.short:.1f} "
            f"cm (sides of {each.least:.1f} to {each.most:.1f} cm)"
        )


def _print_light(records: ImportLog) -> None:
    """Print how differently the photographs were lit, and where a chart would help."""
    every = records.all()
    report = report_light(every)
    if report is not None:
        before, after = report.before, report.after
        say(
            f"Light of {report.photographs} photographs, {report.by_chart} by a chart: brightness "
            f"differs by {before.brightness:.1%}, tint by {before.tint:.1%}; in the tiles by "
            f"{after.brightness:.1%} and {after.tint:.1%}"
        )
    doubt = light_doubt(every)
    if doubt is not None:
        warn(f"  {phrase(doubt)}")


def _print_tiles(records: ImportLog) -> None:
    """Print how many tiles there are, and which of them to look at."""
    every = records.all()
    tiles = [tile for record in every for tile in record.tiles]
    doubtful = [tile for tile in tiles if tile.doubtful]
    count = count_noun(len(tiles), "tile"), count_noun(len(every), "photograph")
    say(f"{count[0]} from {count[1]}: {records.folder}")
    halved = halved_by_names([tile.half or None for tile in tiles])
    if halved is not None:
        say(f"  {describe_halves(halved)}")
    outer = [tile.outer.split() for tile in tiles if tile.outer]
    if outer:
        sides = count_noun(sum(map(len, outer)), "outer side")
        say(f"  {sides} on {count_noun(len(outer), 'tile')} cut to a shape: see outer in {NAME}.")
    fragments = sum(len(record.fragments) for record in every)
    if fragments:
        home = records.folder / FRAGMENTS
        say(f"{count_noun(fragments, 'fragment')} of broken tiles: {home}")
        say(f"Join them with: azulejar join {records.folder}")
    for tile in doubtful[:SHOWN]:
        text = f"  {Path(tile.file).stem}: {tile.note}"
        warn(text)
    if len(doubtful) > SHOWN:
        console.print(f"  and {len(doubtful) - SHOWN} more", style="yellow")
    shown = [tile for tile in doubtful if close_up_path(records.folder, tile).is_file()]
    sheets = write_contact_sheets(
        records.folder / REVIEW,
        [close_up_path(records.folder, tile) for tile in shown],
        [f"{Path(tile.file).stem}: {tile.note}" for tile in shown],
    )
    for sheet in sheets:
        say(f"Doubtful tiles: {sheet}")
