"""Demo: a painted panel, aged, shuffled and turned."""

from azulejar.app.jobs.context import JobContext
from azulejar.app.jobs.job_result import JobResult
from azulejar.app.schemas.jobs import DemoRequest
from azulejar.practice.samples import worn_puzzle


def run_demo(context: JobContext, request: DemoRequest) -> JobResult:
    """Put the tiles of the command line's demo into the tray."""
    context.reporter.step("painting")
    tiles, _ = worn_puzzle(seed=0)
    files = [f"tile_{number:04}.png" for number in range(1, len(tiles) + 1)]
    return JobResult(tiles=context.write_tiles(files, tiles))
