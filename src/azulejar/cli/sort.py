"""``azulejar sort``: a crate of several panels' tiles, told apart."""

from itertools import combinations
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import bar, console, read_tiles
from azulejar.cli.options import (
    Device,
    Exact,
    MeasureName,
    Model,
    OutFolder,
    Overwrite,
    Scores,
    Seed,
    TilesFolder,
    Upright,
)
from azulejar.cli.scores import load_scores
from azulejar.cli.solve import measured
from azulejar.core.compatibility import Compatibility
from azulejar.core.tiles import TileSet
from azulejar.knowledge.inventory import panels_of
from azulejar.knowledge.knowns_file import KnownsFile, gather_knowns, tile_names
from azulejar.measures import DEFAULT_MEASURE, get_measure
from azulejar.outputs.groups import MARK, panel_names, write_groups
from azulejar.outputs.result import write_result
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
    exact: Exact = False,
    model: Model = None,
    scores: Scores = None,
    knowns: Annotated[
        Path | None,
        typer.Option(metavar="FILE.json", help="Which tiles belong together (docs/formats.md)."),
    ] = None,
    preset: Annotated[str, typer.Option(help="For --solve: fast, standard or paper.")] = "standard",
    seed: Seed = 0,
    overwrite: Overwrite = False,
) -> None:
    """Tell the panels in a mixed crate apart, and write groups.json, groups.csv and groups.html.

    Tiles that tiles.csv gives a panel keep it. groups.csv may take the place of tiles.csv.

    Example: azulejar sort my_crate -o sorted --solve
    """
    refuse_existing(output, MARK, overwrite)
    get_preset(preset)
    if scores is None:
        scorer = get_measure(measure, device=device, exact=exact, model=model)
    stated = KnownsFile() if knowns is None else KnownsFile.load(knowns)
    found = read_tiles(tiles)
    known = list(panels_of(found.records).values())
    together = [*known, *stated.knowns(tile_names(found)).together]
    if scores is None:
        compatibility = measured(found, scorer, upright)
    else:
        compatibility = load_scores(scores, found)
    groups = sort_tiles(
        compatibility,
        panels=panels,
        upright=upright,
        together=together,
        apart=[(one[0], other[0]) for one, other in combinations(known, 2)],
    )
    write_groups(output, found, groups, compatibility.measure, overwrite=overwrite)
    tell(found, groups, panels, output)
    if solve:
        assemble(found, compatibility, groups, output / RESULT, upright, preset, seed, overwrite)
    elif (output / RESULT).exists():
        console.print(f"{output / RESULT} is of an earlier sort.", style="yellow", soft_wrap=True)


def assemble(
    tiles: TileSet,
    compatibility: Compatibility,
    groups: Groups,
    output: Path,
    upright: bool,
    preset: str,
    seed: int,
    overwrite: bool,
) -> None:
    """Put each panel together under a bar, and write the result; Ctrl-C keeps the best so far."""
    solver = get_preset(preset)
    with stopped_by_interrupt() as stop:
        with bar("Solving each panel") as progress:
            assembly = solve_crate(
                compatibility,
                groups,
                lambda which: gather_knowns(tiles.take(which), upright=upright),
                solver,
                seed=seed,
                stop=stop,
                on_progress=lambda panel, done: progress((panel + done) / groups.panels),
            )
        write_result(output, tiles, compatibility, assembly, overwrite=overwrite,
                     upright=upright, solver=solver.name, preset=preset, seed=seed)  # fmt: skip
    console.print(f"Panels: {output / 'panel.png'}", markup=False, soft_wrap=True)
    console.print(f"Report: {output / 'report.html'}", markup=False, soft_wrap=True)


def tell(tiles: TileSet, groups: Groups, asked: int | None, output: Path) -> None:
    """How many tiles went where."""
    for panel, name in enumerate(panel_names(tiles, groups)):
        which = groups.tiles(panel)
        sure = groups.probability[which].mean()
        console.print(
            f"Panel {name}: {len(which)} tiles, mean probability {sure:.2f}", markup=False
        )
    strays = len(groups.tiles(STRAY))
    if strays:
        console.print(f"Strays: {strays} tile{'s' * (strays > 1)}")
    if asked is not None and groups.panels < asked:
        console.print(f"  note: the joints tell only {groups.panels} panels apart.", style="yellow")
    if asked is not None and groups.panels > asked:
        why = "nothing links them, or they are known to be apart"
        console.print(f"  note: {groups.panels} groups are left: {why}.", style="yellow")
    console.print(f"Pictures: {output / 'groups.html'}", markup=False, soft_wrap=True)
    console.print(f"List:     {output / 'groups.csv'}", markup=False, soft_wrap=True)
