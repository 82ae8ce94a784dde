"""``azulejar collection solve``: every group put together, and a page of all panels."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.collection.options import (
    Address,
    CollectionFolder,
    EngineName,
    Workers,
    open_filled,
    read_last_sort,
)
from azulejar.cli.console import bar, console, exit_stopped, note, say
from azulejar.cli.options import Seed
from azulejar.collection.engines import Engine, get_engine
from azulejar.collection.solve import SkippedGroup
from azulejar.collection.sort_results import Group, SortResult, select_groups
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.overrides import add_statements, save_panel_size, turn_panel
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.knowledge.knowns_file import KnownsFile
from azulejar.outputs.collection.panels import (
    PANELS,
    SolvedPanel,
    load_panel_solution,
    read_panels,
)
from azulejar.outputs.collection.stages import solve_collection
from azulejar.outputs.wording import count_noun, format_probability
from azulejar.solvers import get_preset


def command(
    folder: CollectionFolder,
    panel: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this panel; may be repeated."),
    ] = None,
    least: Annotated[int, typer.Option(min=2, help="Leave groups of fewer tiles for later.")] = 12,
    preset: Annotated[str, typer.Option(help="fast, standard or paper.")] = "standard",
    seed: Seed = 0,
    knowns: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json",
            help="Locks and refusals by inventory number (docs/formats.md); stored for later.",
        ),
    ] = None,
    rows: Annotated[
        int | None, typer.Option(help="Rows of the panel named by --panel; stored for later.")
    ] = None,
    cols: Annotated[
        int | None, typer.Option(help="Columns of the panel named by --panel; stored for later.")
    ] = None,
    turn: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=DEGREES",
            help="Turn a panel further clockwise, 0 to keep it as it hangs; stored for later.",
        ),
    ] = None,
    engine: EngineName = "local",
    workers: Workers = None,
    address: Address = None,
) -> None:
    """Put every group of the last sort together, best evidence first, into DIR/panels.

    Each panel is written as soon as it is solved, as azulejar solve does; what is done already is
    left as it is, so that the same command goes on where it was stopped. panels/index.html shows
    all panels.

    Example: azulejar collection solve museum
    """
    get_preset(preset)
    stated = None if knowns is None else KnownsFile.load(knowns)
    with open_filled(folder) as collection:
        found = read_last_sort(collection, folder)
        chosen = select_groups(found, panel or [], least)
        running = get_engine(engine, workers=workers, address=address)
        if stated is not None:
            add_statements(collection, stated)
        if rows is not None or cols is not None:
            _save_size(collection, chosen, panel or [], rows, cols)
        for text in turn or []:
            _turn_panel(collection, found, text)
        stopped = False
        try:
            with running:
                _solve(collection, chosen, running, preset, seed)
        except KeyboardInterrupt:
            stopped = True
        panels = read_panels(collection, found.groups)
    _print_progress(panels, chosen, found, least if not panel else 0)
    say(f"All panels: {Path(folder) / PANELS / 'index.html'}")
    if stopped:
        exit_stopped("what was solved is kept. Continue with the same command.")


def _turn_panel(collection: Collection, found: SortResult, text: str) -> None:
    """Turn a panel as ``NAME=DEGREES`` says, and store that."""
    name, _, degrees = text.rpartition("=")
    if degrees not in ("0", "90", "180", "270"):
        raise AzulejarError(
            "panel-turn-unclear",
            "--turn {text} does not say how far which panel is turned.",
            "Write it like --turn 3=90, clockwise, or 180, 270, or 0 to keep it as it hangs.",
            text=text,
        )
    (group,) = select_groups(found, [name])
    turn_panel(
        collection, group.name, load_panel_solution(collection, group.name), int(degrees) // 90
    )


def _save_size(
    collection: Collection,
    chosen: Sequence[Group],
    names: Sequence[str],
    rows: int | None,
    cols: int | None,
) -> None:
    if len(names) != 1 or rows is None or cols is None:
        raise AzulejarError(
            "panel-size-unclear",
            "The size of a panel is its rows and its columns.",
            "Give --rows and --cols, and one --panel.",
        )
    Knowns(rows, cols).check(len(chosen[0].tiles))
    save_panel_size(collection, chosen[0].name, rows, cols)


def _solve(
    collection: Collection, groups: Sequence[Group], running: Engine, preset: str, seed: int
) -> None:
    """Solve under a bar, and print each panel."""
    with bar("Solving panels") as progress:
        solve_collection(
            collection,
            running,
            groups=groups,
            preset=preset,
            seed=seed,
            on_panel=_print_panel,
            on_progress=progress,
        )


def _print_panel(panel: SolvedPanel | SkippedGroup) -> None:
    if isinstance(panel, SkippedGroup):
        note(f"panel {panel.group.name} was left: {panel.why}")
        return
    say(
        f"Panel {panel.name}: {panel.rows} rows × {panel.cols} cols, {panel.tiles} tiles, "
        f"{panel.holes} missing, confidence {format_probability(panel.confidence)}"
        f"{_describe_seam(panel)}"
    )
    if panel.vanished:
        note(f"{panel.vanished} pictures have vanished; small copies are shown.")


def _describe_seam(panel: SolvedPanel) -> str:
    if panel.mirrored:
        return f", may be two panels: {panel.loose} tiles meet the rest like mirrored borders"
    return f", in parts: {panel.loose} tiles are loose" if panel.loose else ""


def _print_progress(
    panels: Sequence[SolvedPanel], chosen: Sequence[Group], found: SortResult, least: int
) -> None:
    solved = {panel.name for panel in panels if not panel.outdated}
    done = sum(group.name in solved for group in chosen)
    console.print(f"{done:,} of {count_noun(len(chosen), 'panel')} put together.")
    small = sum(len(group.tiles) < least for group in found.groups)
    if small:
        groups = count_noun(small, "group")
        console.print(f"{groups} of fewer than {least} tiles left for later (--least).")
