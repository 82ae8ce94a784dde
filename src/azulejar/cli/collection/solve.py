"""``azulejar collection solve``: every group put together, and a page of all panels."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.collection.opened import last_sort, opened
from azulejar.cli.collection.options import Address, CollectionFolder, EngineName, Workers
from azulejar.cli.console import bar, console, errors
from azulejar.cli.options import Seed
from azulejar.collection.engines import Engine, get_engine
from azulejar.collection.solve import SkippedGroup, solve_groups
from azulejar.collection.sort_results import Group, SortResult
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.lock import locked
from azulejar.collection.storage.overrides import add_statements, save_panel_size, turn_panel
from azulejar.core.knowns import Knowns
from azulejar.errors import AzulejarError
from azulejar.knowledge.knowns_file import KnownsFile
from azulejar.outputs.collection.overview import write_overview
from azulejar.outputs.collection.panels import (
    PANELS,
    SolvedPanel,
    is_solved,
    load_panel_solution,
    read_panels,
    remove_leftovers,
    write_solved_panel,
)
from azulejar.outputs.wording import count_noun
from azulejar.solvers import get_preset


def command(
    folder: CollectionFolder,
    panel: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this panel; may be given often."),
    ] = None,
    least: Annotated[int, typer.Option(min=2, help="Leave groups of fewer tiles for later.")] = 12,
    preset: Annotated[str, typer.Option(help="fast, standard or paper.")] = "standard",
    seed: Seed = 0,
    knowns: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE.json",
            help="Locks and refusals by inventory number (docs/formats.md); they are kept.",
        ),
    ] = None,
    rows: Annotated[int | None, typer.Option(help="Of the one panel that is named; kept.")] = None,
    cols: Annotated[int | None, typer.Option(help="Of the one panel that is named; kept.")] = None,
    turn: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=DEGREES",
            help="Hang a panel so much further clockwise, 0 as it does; it stays so.",
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
    with opened(folder) as collection:
        found = last_sort(collection, folder)
        chosen = _chosen(found, panel or [], least)
        crew = get_engine(engine, workers=workers, address=address)
        if stated is not None:
            add_statements(collection, stated)
        if rows is not None or cols is not None:
            _state_size(collection, chosen, panel or [], rows, cols)
        for text in turn or []:
            _turn(collection, found, text)
        home = collection.folder / PANELS
        home.mkdir(exist_ok=True)
        stopped = False
        with locked(home, "puts panels together"):
            remove_leftovers(home)
            try:
                with crew:
                    _solve(collection, chosen, crew, preset, seed)
            except KeyboardInterrupt:
                stopped = True
            panels = _write_overview(collection, found)
    _tell(panels, chosen, found, least if not panel else 0)
    console.print(
        f"All panels: {Path(folder) / PANELS / 'index.html'}", markup=False, soft_wrap=True
    )
    if stopped:
        errors.print(
            "azulejar: stopped; what was solved is kept. Continue with the same command.",
            style="red",
        )
        raise typer.Exit(130)


def _turn(collection: Collection, found: SortResult, text: str) -> None:
    """State how a panel hangs, as ``NAME=DEGREES`` says."""
    name, _, degrees = text.rpartition("=")
    if degrees not in ("0", "90", "180", "270"):
        raise AzulejarError(
            f"--turn {text} does not say how far which panel is turned.",
            "Write it like --turn 3=90, clockwise, or 180, 270, or 0 to keep it as it hangs.",
        )
    (group,) = _chosen(found, [name], 0)
    turn_panel(
        collection, group.name, load_panel_solution(collection, group.name), int(degrees) // 90
    )


def _state_size(
    collection: Collection,
    chosen: Sequence[Group],
    names: Sequence[str],
    rows: int | None,
    cols: int | None,
) -> None:
    if len(names) != 1 or rows is None or cols is None:
        raise AzulejarError(
            "The size of a panel is its rows and its columns.",
            "Give --rows and --cols, and one --panel.",
        )
    Knowns(rows, cols).check(len(chosen[0].tiles))
    save_panel_size(collection, chosen[0].name, rows, cols)


def _chosen(found: SortResult, names: Sequence[str], least: int) -> list[Group]:
    by_name = {group.name.casefold(): group for group in found.groups}
    for name in names:
        if name.casefold() not in by_name:
            shown = ", ".join(group.name for group in found.groups[:12])
            raise AzulejarError(
                f"The last sort found no panel {name}.",
                f"It found {shown}{' …' * (len(found.groups) > 12)}." if shown else "Sort again.",
            )
    if names:
        return [by_name[name.casefold()] for name in dict.fromkeys(names)]
    return [group for group in found.groups if len(group.tiles) >= least]


def _solve(
    collection: Collection, groups: Sequence[Group], crew: Engine, preset: str, seed: int
) -> None:
    """Solve under a bar, and write each panel at once."""
    total, done = sum(len(group.tiles) for group in groups) or 1, 0

    def before(group: Group, key: str) -> bool:
        nonlocal done
        known = is_solved(collection, group, key)
        done += len(group.tiles) if known else 0
        return known

    with bar("Solving panels") as progress:
        for each in solve_groups(
            collection, groups, crew, preset=preset, seed=seed, is_done=before
        ):
            if isinstance(each, SkippedGroup):
                text = f"  note: panel {each.group.name} was left: {each.why}"
                console.print(text, style="yellow", markup=False, soft_wrap=True)
            else:
                _tell_panel(write_solved_panel(collection, each, preset, seed))
            done += len(each.group.tiles)
            progress(done / total)


def _tell_panel(panel: SolvedPanel) -> None:
    console.print(
        f"Panel {panel.name}: {panel.rows} rows × {panel.cols} cols, {panel.tiles} tiles, "
        f"{panel.holes} missing, confidence {panel.confidence:.2f}",
        markup=False, soft_wrap=True,
    )  # fmt: skip
    if panel.vanished:
        text = f"  note: {panel.vanished} pictures have vanished; small copies are shown."
        console.print(text, style="yellow", soft_wrap=True)


def _write_overview(collection: Collection, found: SortResult) -> list[SolvedPanel]:
    panels = read_panels(collection, found.groups)
    numbers = collection.inventories()
    inventory = {group.name: [numbers[tile] for tile in group.tiles] for group in found.groups}
    write_overview(collection.folder / PANELS, collection.name, panels, inventory)
    return panels


def _tell(
    panels: Sequence[SolvedPanel], chosen: Sequence[Group], found: SortResult, least: int
) -> None:
    solved = {panel.name for panel in panels if not panel.outdated}
    done = sum(group.name in solved for group in chosen)
    console.print(f"{done:,} of {count_noun(len(chosen), 'panel')} put together.")
    small = sum(len(group.tiles) < least for group in found.groups)
    if small:
        groups = count_noun(small, "group")
        console.print(f"{groups} of fewer than {least} tiles left for later (--least).")
