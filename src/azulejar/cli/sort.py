"""``azulejar sort``: a crate of several panels' tiles, told apart."""

from itertools import combinations
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from azulejar.cli.console import bar, console, note, say, warn
from azulejar.cli.inputs import choose_scores, read_tiles
from azulejar.cli.options import (
    AnyShape,
    Device,
    Headings,
    MeasureName,
    Model,
    OutFolder,
    Overwrite,
    Scores,
    Seed,
    TilesFolder,
    Tongue,
    Upright,
)
from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.imaging.folder import folder_classes
from azulejar.judging.evidence import Rivals
from azulejar.knowledge.inventory import panels_of
from azulejar.knowledge.knowns_file import KnownsFile, gather_knowns, tile_names
from azulejar.measures import DEFAULT_MEASURE
from azulejar.outputs.crate_groups import MARK, panel_names, write_crate_groups
from azulejar.outputs.result import write_result
from azulejar.outputs.spreadsheets import ListStyle
from azulejar.outputs.wording import count_noun, format_probability
from azulejar.patterns.laying import find_copies
from azulejar.solvers import get_preset
from azulejar.sorting import STRAY, Groups, solve_crate, sort_tiles
from azulejar.system.atomic import refuse_existing
from azulejar.system.interrupts import stopped_by_interrupt

RESULT = "result"  # the folder in OUT that --solve writes


def command(
    tiles: TilesFolder,
    output: OutFolder,
    panels: Annotated[
        int | None, typer.Option(min=1, help="How many panels there are, if known.")
    ] = None,
    solve: Annotated[
        bool, typer.Option("--solve", help="Also put each panel together, into OUT/result.")
    ] = False,
    upright: Upright = False,
    measure: MeasureName = DEFAULT_MEASURE,
    device: Device = "auto",
    model: Model = None,
    scores: Scores = None,
    knowns: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Which tiles belong together (docs/formats.md)."),
    ] = None,
    preset: Annotated[str, typer.Option(help="For --solve: fast, standard or paper.")] = "standard",
    seed: Seed = 0,
    headings: Headings = Tongue.EN,
    these_are_tiles: AnyShape = False,
    overwrite: Overwrite = False,
) -> None:
    """Tell the panels in a mixed crate apart, and write groups.json, groups.csv and groups.html.

    Tiles that tiles.csv gives a panel keep it; marks on the backs and thickness tip the balance.
    Tiles of different sizes come into different panels.
    groups.csv may take the place of tiles.csv.

    Example: azulejar sort my_crate -o sorted --solve
    """
    refuse_existing(output, MARK, overwrite)
    get_preset(preset)
    score = choose_scores(measure, device, model, scores)
    stated = KnownsFile() if knowns is None else KnownsFile.load(knowns)
    found = read_tiles(tiles, these_are_tiles, any_size=True)
    known = list(panels_of(found.records).values())
    together = [*known, *stated.knowns(tile_names(found)).together]
    compatibility = score(found, upright)
    if not these_are_tiles:
        compatibility = _keep_sizes_apart(found, compatibility)
    groups = sort_tiles(
        compatibility,
        panels=panels,
        upright=upright,
        together=together,
        apart=[(one[0], other[0]) for one, other in combinations(known, 2)],
        records=found.records,
    )
    style = ListStyle(headings.value)
    measured = compatibility.measure
    write_crate_groups(output, found, groups, measured, overwrite=overwrite, style=style)
    _print_groups(found, groups, panels, output)
    if solve:
        settings = (upright, preset, seed, overwrite, style)
        _solve(found, compatibility, groups, output / RESULT, *settings)
    elif (output / RESULT).exists():
        warn(f"{output / RESULT} is from an earlier sort.")


def _keep_sizes_apart(tiles: TileSet, compatibility: Compatibility) -> Compatibility:
    """Return scores in which tiles of different sizes never meet, and say how many there are."""
    classes = folder_classes(tiles)
    counts = np.bincount(classes)
    if len(counts) == 1:
        return compatibility
    told = " and ".join(count_noun(int(count), "tile") for count in counts)
    note(f"there are tiles of {len(counts)} sizes, from the smallest: {told}.")
    return compatibility.within(np.repeat(classes, 4))


def _solve(
    tiles: TileSet,
    compatibility: Compatibility,
    groups: Groups,
    output: Path,
    upright: bool,
    preset: str,
    seed: int,
    overwrite: bool,
    style: ListStyle,
) -> None:
    """Put each panel together under a bar, and write the result; Ctrl-C keeps the best so far."""
    solver = get_preset(preset)
    with stopped_by_interrupt() as stop:
        with bar("Solving each panel") as progress:
            assembly = solve_crate(
                compatibility,
                groups,
                lambda which: gather_knowns(tiles.take(which), upright=upright, few_of_many=True),
                solver,
                seed=seed,
                stop=stop,
                on_progress=lambda panel, done: progress((panel + done) / groups.panels),
            )
        write_result(output, tiles, compatibility, assembly, overwrite=overwrite, style=style,
                     rivals=Rivals.of(compatibility, find_copies(tiles.pixels)), upright=upright,
                     solver=solver.name, preset=preset, seed=seed)  # fmt: skip
    say(f"Panels: {output / 'panel.png'}")
    say(f"Report: {output / 'report.html'}")


def _print_groups(tiles: TileSet, groups: Groups, asked: int | None, output: Path) -> None:
    """Print how many tiles went where."""
    for panel, name in enumerate(panel_names(tiles, groups)):
        which = groups.tiles(panel)
        sure = groups.probability[which].mean()
        say(f"Panel {name}: {len(which)} tiles, mean probability {format_probability(sure)}")
    strays = len(groups.tiles(STRAY))
    if strays:
        console.print(f"Strays: {strays} tile{'s' * (strays > 1)}")
    if asked is not None and groups.panels < asked:
        note(f"the joints tell only {groups.panels} panels apart.")
    if asked is not None and groups.panels > asked:
        why = "nothing links them, or they are known to be apart"
        note(f"{groups.panels} groups are left: {why}.")
    say(f"Pictures: {output / 'groups.html'}")
    say(f"List:     {output / 'groups.csv'}")
