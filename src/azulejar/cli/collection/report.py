"""``azulejar collection report``: one page on the collection for the director."""

from azulejar.cli.collection.opened import last_sort, opened
from azulejar.cli.collection.options import CollectionFolder
from azulejar.cli.console import console
from azulejar.outputs.collection.director_report import write_director_report
from azulejar.outputs.collection.panels import read_panels


def command(folder: CollectionFolder) -> None:
    """Write DIR/report.html: tiles, likely panels, how complete, and crates to open together.

    It tells of the last sort, and of the panels that have been solved so far.

    Example: azulejar collection report museum
    """
    with opened(folder) as collection:
        found = last_sort(collection, folder)
        panels = read_panels(collection, found.groups)
        write_director_report(collection, found, panels)
    if not panels:
        text = f"  note: no panel is put together yet: azulejar collection solve {folder}"
        console.print(text, style="yellow", markup=False, soft_wrap=True)
    console.print(f"Report: {folder / 'report.html'}", markup=False, soft_wrap=True)
