"""``azulejar solve``: from a folder of tiles to the panel."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import console, say, search_bar, warn
from azulejar.cli.inputs import choose_scores, read_tiles
from azulejar.cli.options import (
    AnyShape,
    Device,
    Headings,
    MeasureName,
    Model,
    OutFolder,
    Overwrite,
    Rows,
    RowsFrom,
    Scores,
    Seed,
    TilesFolder,
    Tongue,
    Upright,
)
from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.knowns import Knowns
from azulejar.core.solution import Solution
from azulejar.errors import AzulejarError
from azulejar.imaging.mask_file import read_mask
from azulejar.judging.confidence import joint_confidence
from azulejar.judging.islands import THRESHOLD, check_threshold
from azulejar.judging.islands import islands as into_islands
from azulejar.knowledge.inventory import count_rows_from_bottom, panels_of
from azulejar.knowledge.knowns_file import KnownsFile, gather_knowns
from azulejar.measures import DEFAULT_MEASURE
from azulejar.outputs.result import MARK, write_result
from azulejar.outputs.spreadsheets import ListStyle
from azulejar.outputs.wording import (
    count_noun,
    describe_doubts,
    describe_pattern,
    describe_reference,
    doubts,
    format_probability,
)
from azulejar.panel.doubts import question_panel
from azulejar.panel.solving import PanelOutcome, solve_panel
from azulejar.patterns.finding import recognise_wall
from azulejar.reference.following import read_reference
from azulejar.solvers import SOLVERS, Solver, get_preset, get_solver
from azulejar.solvers.budget import Budget
from azulejar.solvers.runs import MOST_RUNS, Run, best_of
from azulejar.system.atomic import refuse_existing
from azulejar.system.interrupts import stopped_by_interrupt


def command(
    tiles: TilesFolder,
    output: OutFolder,
    rows: Annotated[int | None, typer.Option(help="Rows of the panel, if known.")] = None,
    cols: Annotated[int | None, typer.Option(help="Columns of the panel, if known.")] = None,
    upright: Upright = False,
    measure: MeasureName = DEFAULT_MEASURE,
    device: Device = "auto",
    model: Model = None,
    scores: Scores = None,
    preset: Annotated[str, typer.Option(help="fast, standard or paper.")] = "standard",
    solver: Annotated[
        str | None,
        typer.Option(metavar="NAME", help=f"Instead of a preset, one of {', '.join(SOLVERS.own)}."),
    ] = None,
    runs: Annotated[
        int, typer.Option(min=1, max=MOST_RUNS, help="Number of searches; the best result is kept.")
    ] = 1,
    seed: Seed = 0,
    time_budget: Annotated[
        float | None, typer.Option(metavar="SECONDS", help="Search no longer than this.")
    ] = None,
    knowns: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json", help="Locks, refusals and missing places (docs/formats.md)."
        ),
    ] = None,
    mask: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Outline of a panel that is no rectangle: a picture with one dark pixel for each "
            "tile, or a .txt with rows of # and .",
        ),
    ] = None,
    reference: Annotated[
        Path | None,
        typer.Option(
            metavar="PICTURE",
            help="Old photograph, drawing or engraving of the panel, believed as far as it proves "
            "right.",
        ),
    ] = None,
    islands: Annotated[
        bool, typer.Option("--islands", help="Keep only the sure parts, as separate islands.")
    ] = False,
    threshold: Annotated[
        float,
        typer.Option(metavar="P", help="For --islands: least probability of a joint."),
    ] = THRESHOLD,
    rows_from: RowsFrom = Rows.TOP,
    headings: Headings = Tongue.EN,
    no_pattern: Annotated[
        bool,
        typer.Option("--no-pattern", help="Solve alike tiles like any others."),
    ] = False,
    these_are_tiles: AnyShape = False,
    overwrite: Overwrite = False,
) -> None:
    """Put the panel together and write solution.json, panel.png, placement.csv and report.html.

    Ctrl-C keeps the best assembly so far. Alike tiles in great number are laid as their pattern
    continues, apart from all others: which of them lay where cannot be known.

    Example: azulejar solve my_tiles -o result --rows 8
    """
    refuse_existing(output, MARK, overwrite)
    check_threshold(threshold)
    chosen = get_preset(preset) if solver is None else get_solver(solver)
    score = choose_scores(measure, device, model, scores)
    Budget(seconds=time_budget)
    stated = KnownsFile() if knowns is None else KnownsFile.load(knowns)
    if mask is not None:
        stated = stated.with_mask(read_mask(mask))
    guide = None if reference is None else read_reference(reference)
    found = read_tiles(tiles, these_are_tiles)
    if len(found) < 2:
        raise AzulejarError(
            "solve-one-tile",
            "{folder} holds one tile: there is nothing to put together.",
            "Give the folder that holds all tiles.",
            folder=str(tiles),
        )
    if rows_from == Rows.BOTTOM:
        found = replace(found, records=count_rows_from_bottom(found.records))
    known = gather_knowns(found, stated, rows, cols, upright)
    chosen.check(known)
    print_knowns(known, len(found))
    if len(panels_of(found.records)) > 1:
        warn("tiles.csv names several panels, which become one here: azulejar sort keeps them.")
    patterns = None if no_pattern else recognise_wall(found.pixels)
    compatibility = score(found, known.upright)
    with stopped_by_interrupt() as stop:
        share = time_budget if guide is None else time_budget and time_budget / 2
        solved = solve_panel(
            found,
            compatibility,
            known,
            chosen,
            partial(run_solver, solver=chosen, runs=runs, seed=seed, time_budget=share, stop=stop),
            patterns=patterns,
            reference=guide,
            stop=stop,
            on_look=partial(
                console.print, "Looking for the sure parts of the panel in the reference."
            ),
        )
        left = time_budget and time_budget - solved.seconds
        waits = not stop.is_set() and (left is None or left > 0)
        doubted = question_panel(solved, found.pixels, known, Budget(left, stop) if waits else None)
        remarks = [
            describe_pattern(each, whole=solved.is_wall) for each in solved.patterns or ()
        ] + describe_doubts(doubted, solved.assembly)
        assembly = _split_into_islands(solved, threshold) if islands else solved.assembly
        solution = write_result(
            output,
            found,
            solved.compatibility,
            assembly,
            history=solved.run.history,
            overwrite=overwrite,
            upright=known.upright,
            solver=chosen.name,
            preset=preset if solver is None else None,
            seed=solved.run.seed,
            seconds=round(solved.seconds, 2),
            remarks=remarks,
            style=ListStyle(headings.value, rows_from.value),
            rivals=solved.rivals,
            reference=solved.followed,
        )
    if solved.followed is not None:
        say(describe_reference(solved.followed))
    elif guide is not None:
        alike = "alike tiles are laid as their pattern repeats"
        say(f"The reference was not used: {alike if solved.repeats else 'the search was stopped'}.")
    print_result(solution, output, remarks, pattern=solved.is_wall)


def print_knowns(knowns: Knowns, n: int) -> None:
    """Print what the solver is going to keep."""
    if knowns.rows and knowns.cols and knowns.rows * knowns.cols > n:
        empty = knowns.rows * knowns.cols - n
        console.print(f"{empty} place{'s' * (empty > 1)} of the panel will stay empty.")
    for count, what in ((knowns.rows, "rows"), (knowns.cols, "cols")):
        if count and n % count and not (knowns.rows and knowns.cols):
            say(f"{n} tiles do not fill {count} whole {what}: some places will stay empty.")
    held = (
        (len({lock.tile for lock in knowns.locks}), "locked tile"),
        (len(knowns.joined), "joined group"),
        (len({frozenset((a // 4, b // 4)) for a, b in knowns.apart}), "refused pair"),
        (len(knowns.empty), "missing place"),
    )
    told = [f"{count} {what}{'s' * (count > 1)}" for count, what in held if count]
    if told:
        say(f"Kept as given: {', '.join(told)}.")
    if knowns.outer:
        say(f"Kept outside if possible: {count_noun(len(knowns.outer), 'outer side')}.")


def run_solver(
    compatibility: Compatibility,
    knowns: Knowns,
    *,
    solver: Solver,
    runs: int = 1,
    seed: int = 0,
    time_budget: float | None = None,
    stop: threading.Event,
) -> Run:
    """Solve under a bar, and return the best run."""
    if not solver.is_compiled(knowns):
        console.print("Compiling the solver: this happens once and takes about half a minute.")
    with search_bar(runs) as on_progress:
        run = best_of(
            compatibility,
            knowns,
            solver,
            runs=runs,
            seed=seed,
            seconds=time_budget,
            stop=stop,
            on_progress=on_progress,
        )
    if stop.is_set():
        console.print("Stopped; this is the best assembly so far.", style="yellow")
    return run


def _split_into_islands(solved: PanelOutcome, threshold: float) -> Assembly:
    judged = joint_confidence(solved.compatibility, solved.assembly, solved.rivals)
    parts = into_islands(solved.assembly, *judged, threshold)
    count, alone = int(parts.panel.max()) + 1, int((parts.panel < 0).sum())
    if count == 0:
        raise AzulejarError(
            "no-islands",
            "No joint is right with a probability of {threshold}.",
            "Give a lower --threshold.",
            threshold=threshold,
        )
    left = f"{count_noun(alone, 'tile')} {'is' if alone == 1 else 'are'} in none"
    console.print(f"{count_noun(count, 'island')}; {left}.")
    return parts


def print_result(
    solution: Solution, output: Path, remarks: Sequence[str] = (), *, pattern: bool = False
) -> None:
    """Print size, mean confidence and time of a search, and where its files lie."""
    sure = solution.mean_confidence
    for remark in [*([] if pattern else doubts(sure, upright=solution.upright)), *remarks]:
        warn(remark)
    alone = " by the edges alone" if remarks else ""  # the shape or the size speaks against it
    trust = "" if pattern else f", mean confidence {format_probability(sure or 0.0)}{alone}"
    size = f"{count_noun(solution.rows, 'row')} × {count_noun(solution.cols, 'col')}"
    console.print(f"{size}{trust} (search: {solution.seconds:.1f} s)")
    say(f"Panel:  {output / 'panel.png'}")
    say(f"Report: {output / 'report.html'}")
