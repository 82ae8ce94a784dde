"""``azulejar bench``: the tables of measures and solvers on known panels."""

import shlex
import sys
import threading
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from azulejar.cli.console import bar, complain, console, exit_stopped, say
from azulejar.cli.options import Device, Model, Seed
from azulejar.cli.rank import EXAMPLES, parse_trims
from azulejar.errors import AzulejarError
from azulejar.evaluation.rank_report import write_ranks
from azulejar.evaluation.ranks import RankTable
from azulejar.evaluation.tables import schedule
from azulejar.evaluation.tables.methods import MethodChoice
from azulejar.evaluation.tables.result_store import ResultStore, check_result_folder, open_store
from azulejar.evaluation.tables.running import run_tasks
from azulejar.evaluation.tables.table_pages import draw_pictures, write_table
from azulejar.evaluation.tables.tasks import BenchmarkTask, RankTask, SearchTask, warm_up
from azulejar.practice.photography import LIGHT
from azulejar.system.interrupts import stopped_by_interrupt
from azulejar.system.threads import thread_count

TRIMS = ",".join(map(str, schedule.TRIMS))


def command(
    panels: Annotated[
        Path,
        typer.Argument(
            metavar="PANELS",
            help="Folder of panels named NAME__RxC.jpg, or one; for a protocol, a folder of "
            "pictures, or of folders of pictures.",
        ),
    ],
    output: Annotated[
        Path,
        typer.Option(
            "--output", "-o", metavar="RESULTS", help="Folder for the results, new or begun."
        ),
    ],
    tables: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help=f"Which of {', '.join(schedule.OF_PANELS)}, with commas; by default all.",
        ),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Instead of tables, a published benchmark on pictures of any size: standard "
            "(pieces of 28 px), lsej (ImageNet-LSEJ: 50 px, cropped by 2, 5 and 8) or eroded "
            "(Bridger et al. 2020: 64 px, eroded by 7 and 14 %).",
        ),
    ] = None,
    solvers: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES",
            help="Solvers or presets, with commas; SOLVER@MEASURE for one with its own measure, "
            "SOLVER:SETTING=NUMBER+SETTING=NUMBER for other settings, *3 behind it for three runs. "
            "By default those of the paper and ours.",
        ),
    ] = None,
    measures: Annotated[
        str | None,
        typer.Option(
            metavar="NAMES", help="Measures, with commas; NAME:STEP+STEP for other post-processing."
        ),
    ] = None,
    trim: Annotated[
        list[str],
        typer.Option(
            metavar="FRACTIONS",
            help="Fraction of the side lost at each side of a tile, for rank and reconstruct.",
        ),
    ] = [TRIMS],  # noqa: B006
    light: Annotated[
        str,
        typer.Option(
            metavar="KINDS",
            help=f"Light in which each tile is photographed by itself, with commas: "
            f"{', '.join(LIGHT)}; for reconstruct.",
        ),
    ] = "none",
    runs: Annotated[int, typer.Option(min=1, help="Searches of a puzzle for reconstruct.")] = (
        schedule.RUNS
    ),
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes side by side; by default one a core.")
    ] = None,
    seed: Seed = 0,
    device: Device = "auto",
    model: Model = None,
) -> None:
    """Cut panels into puzzles, score and solve them, and write tables of how well that went.

    RESULTS gets a page, a CSV file, curves and a gallery for each table. Every finished search is
    kept at once: the same command goes on where it was stopped, and with another solver adds only
    what is new.

    Example: azulejar bench panels -o results --tables reconstruct --solvers fast,kernel-growth

    Example: azulejar bench pictures -o results --protocol lsej
    """
    wanted = _parse_tables(tables, protocol)
    check_result_folder(output)
    chosen = MethodChoice(_split_names(solvers), _split_names(measures), device, model)
    trims, lights = parse_trims(trim), _split_names(light)
    with bar("Reading panels") as progress:
        planned = {}
        for i, table in enumerate(wanted):
            planned[table] = schedule.plan_table(
                table, panels, chosen, trims=trims, lights=lights, runs=runs, seed=seed
            )
            progress((i + 1) / len(wanted))
    with open_store(output) as store, stopped_by_interrupt() as stop:
        failed = _run(store, [task for tasks in planned.values() for task in tasks], workers, stop)
        if stop.is_set():
            exit_stopped("what is finished is kept. Continue with the same command.")
        for table, tasks in planned.items():
            for name, path in _write(output, table, tasks, store, seed):
                say(f"{name}: {path}")
    if failed:
        raise AzulejarError(
            "cells-failed",
            "{failed} cells failed for the reasons above and are lacking in the tables.",
            "Give the same command again to try them once more.",
            failed=failed,
        )


def _run(
    store: ResultStore, tasks: Sequence[BenchmarkTask], workers: int | None, stop: threading.Event
) -> int:
    """Do and store what is not stored yet, and return how many failed."""
    groups = schedule.group_tasks(task for task in tasks if task.key not in store)
    left = sum(map(len, groups))
    total = len({task.key for task in tasks})
    console.print(f"{total} cells, {total - left} of them from earlier runs")
    _compile([task for tasks in groups for task in tasks])
    reasons: Counter[str] = Counter()
    with bar(f"Working out {left} cells") as progress:
        reports = run_tasks(groups, workers or thread_count(), stop)
        for done, report in enumerate(reports, 1):
            if report.outcome is not None:
                store.put(report.task.key, report.outcome)
            else:
                if report.error not in reasons:
                    complain(f"{report.task.title}: {report.error}")
                reasons[report.error] += 1
            progress(done / left)
    return reasons.total()


def _compile(tasks: Sequence[BenchmarkTask]) -> None:
    solvers = {task.method.solver for task in tasks if isinstance(task, SearchTask)}
    missing = [solver for solver in solvers if not solver.is_compiled()]
    if missing:
        console.print("Compiling the solvers: this happens once and takes about half a minute.")
    for solver in missing:
        warm_up(solver)


def _write(
    folder: Path, table: str, tasks: Sequence[BenchmarkTask], store: ResultStore, seed: int
) -> list[tuple[str, Path]]:
    """Write the files of a table, and return name and path of those to look at."""
    command = shlex.join(["azulejar", *sys.argv[1:]])
    found = [(task, outcome) for task in tasks if (outcome := store.get(task.key)) is not None]
    if table != "rank":
        cells = [
            (task.recipe, task.result(outcome))
            for task, outcome in found
            if isinstance(task, SearchTask)
        ]
        lost = len(tasks) - len(cells)
        page = write_table(folder, table, [cell for _, cell in cells], command, lost)
        with console.status("Drawing"):
            return [("Table", page), *draw_pictures(folder, table, cells)]
    if len(found) < len(tasks):
        return []  # its means are taken over all panels
    ranks = folder / "ranks"
    rankings = [task.ranking(outcome) for task, outcome in found if isinstance(task, RankTask)]
    write_ranks(
        ranks,
        RankTable(tuple(rankings)),
        command=command,
        examples=EXAMPLES,
        seed=seed,
        overwrite=True,
    )
    return [("Table", ranks / "ranks.md")]


def _parse_tables(tables: str | None, protocol: str | None) -> list[str]:
    if tables is not None and protocol is not None:
        raise AzulejarError(
            "tables-and-protocol",
            "A protocol has a table of its own.",
            "Give --tables or --protocol, not both.",
        )
    if protocol is not None and protocol not in schedule.PROTOCOLS:
        raise AzulejarError(
            "protocol-unknown",
            "There is no protocol {name!r}.",
            "Choose from {protocols}.",
            name=protocol,
            protocols=", ".join(schedule.PROTOCOLS),
        )
    names = _split_names(tables) or ([protocol] if protocol else list(schedule.OF_PANELS))
    for name in names:
        # The protocols are tables as well; standard could be asked for as one from the start.
        if name not in schedule.TABLES:
            raise AzulejarError(
                "table-unknown",
                "There is no table {name!r}.",
                "Choose from {tables}.",
                name=name,
                tables=", ".join(schedule.TABLES),
            )
    return names


def _split_names(text: str | None) -> list[str]:
    """Return each name once; none if nothing was given."""
    return [] if text is None else list(dict.fromkeys(name.strip() for name in text.split(",")))
