"""``azulejar collection report``: one page on the collection for the director."""

from azulejar.cli.collection.opened import last_sort, opened
from azulejar.cli.collection.options import CollectionFolder
from azulejar.cli.console import console
from azulejar.outputs.collection.panels import read_panels
from azulejar.outputs.collection.stages import report_collection


def command(folder: CollectionFolder) -> None:
    """Write DIR/report.html: tiles, likely panels, how complete, and crates to open together.

    It tells of the last sort, and of the panels that have been solved so far.

    Example: azulejar collection report museum
    """
    with opened(folder) as collection:
        panels = read_panels(collection, last_sort(collection, folder).groups)
        report_collection(collection)
    if not panels:
        text = f"  note: no panel is put together yet: azulejar collection solve {folder}"
        console.print(text, style="yellow", markup=False, soft_wrap=True)
    console.print(f"Report: {folder / 'report.html'}", markup=False, soft_wrap=True)
