"""``azulejar collection report``: one page on the collection for the director."""

from azulejar.cli.collection.options import CollectionFolder, open_filled, read_last_sort
from azulejar.cli.console import note, say
from azulejar.outputs.collection.panels import read_panels
from azulejar.outputs.collection.stages import report_collection


def command(folder: CollectionFolder) -> None:
    """Write DIR/report.html: tiles, likely panels, how complete, and crates to open together.

    It describes the last sort, and the panels that have been solved so far.

    Example: azulejar collection report museum
    """
    with open_filled(folder) as collection:
        panels = read_panels(collection, read_last_sort(collection, folder).groups)
        report_collection(collection)
    if not panels:
        note(f"no panel is put together yet: azulejar collection solve {folder}")
    say(f"Report: {folder / 'report.html'}")
