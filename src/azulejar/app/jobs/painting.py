"""Demo: the painted panel, worn, shuffled and turned."""

from azulejar.app.jobs.bench import Bench
from azulejar.app.jobs.bringing import write_tiles
from azulejar.app.jobs.result import Result
from azulejar.app.schemas import Demo
from azulejar.practice.samples import worn_puzzle


def work(bench: Bench, wish: Demo) -> Result:
    """The tiles in the tray, as the command line's demo makes them."""
    bench.tell.step("painting")
    tiles, _ = worn_puzzle(seed=0)
    files = [f"tile_{number:04}.png" for number in range(1, len(tiles) + 1)]
    return Result(tiles=write_tiles(bench, files, tiles))
