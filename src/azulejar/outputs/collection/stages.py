"""The stages of a collection, each with its results written: sort, solve, report.

Together with ``Collection`` and ``add_tiles``, ``find_edge`` and ``find_hole`` of ``collection``,
these functions are the public interface to a museum.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from azulejar.collection.engines import Engine
from azulejar.collection.history import add_moment
from azulejar.collection.pattern_names import (
    PatternNaming,
    apply_naming,
    check_names,
    plan_naming,
)
from azulejar.collection.patterns import (
    CollectionPatterns,
    find_collection_patterns,
    load_patterns,
    note_search,
    require_patterns,
)
from azulejar.collection.search.joint_search import FOLDER as SEARCH
from azulejar.collection.search.joint_search import find_joints
from azulejar.collection.solve import SkippedGroup, solve_groups
from azulejar.collection.sort import group_collection
from azulejar.collection.sort_results import Group, SortResult, require_sort, select_groups
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.integrity import check_integrity
from azulejar.collection.storage.lock import locked
from azulejar.outputs.collection.director_report import write_director_report
from azulejar.outputs.collection.groups_page import write_collection_groups
from azulejar.outputs.collection.overview import write_overview
from azulejar.outputs.collection.panels import (
    PANELS,
    SolvedPanel,
    is_solved,
    read_panels,
    remove_leftovers,
    write_solved_panel,
)
from azulejar.outputs.collection.patterns_page import write_patterns
from azulejar.solvers import get_preset

OnProgress = Callable[[float], None]
"""Takes the fraction done, from 0 to 1."""


def sort_collection(
    collection: Collection,
    engine: Engine,
    *,
    on_progress: OnProgress = lambda fraction: None,
    on_searched: Callable[[], None] = lambda: None,
) -> SortResult:
    """Tell the panels of a collection apart, and write its folder ``groups``.

    Likely joints are searched first, if tiles were added since the last search. Panels that
    ``tiles.csv`` names keep their names, and a panel keeps its name from one sort to the next.

    Args:
        collection: A collection with tiles.
        engine: The workers that search.
        on_progress: Called with the fraction of the search that is done.
        on_searched: Called once the search is done and the engine is no longer needed.

    Raises:
        AzulejarError: The collection has no tiles, is damaged, or another process sorts it.

    Examples:
        >>> import azulejar
        >>> with azulejar.Collection.open("museum") as museum:
        ...     with azulejar.get_engine("local", workers=1) as engine:
        ...         found = azulejar.sort_collection(museum, engine)
        >>> found.tiles, len(found.groups)
        (16, 1)
    """
    collection.check_not_empty()
    check_integrity(collection)
    with _search_locked(collection, "sorts the tiles"):
        joints = find_joints(collection, engine, on_progress)
        on_searched()
        found = group_collection(collection, joints)
        write_collection_groups(collection, found)
    _add_moment(collection, "sort", found, read_panels(collection, found.groups))
    return found


def list_patterns(
    collection: Collection,
    *,
    rename: Mapping[str, str] | None = None,
    on_progress: OnProgress = lambda fraction: None,
) -> CollectionPatterns:
    """Group the pattern tiles of a collection by design, and write its folder ``patterns``.

    Args:
        collection: A collection with tiles.
        rename: New names of patterns, by their present ones.
        on_progress: Called with the fraction done.

    Raises:
        AzulejarError: The collection has no tiles or is damaged, a name is unknown or unfit, or
            another process looks for patterns or sorts.

    Examples:
        >>> import azulejar
        >>> with azulejar.Collection.open("museum") as museum:
        ...     len(azulejar.list_patterns(museum))  # a painted panel has none
        0
    """
    collection.check_not_empty()
    check_integrity(collection)
    if rename:  # a name that is refused leaves nothing behind
        before = load_patterns(collection, ignore_damage=True)
        known = before or find_collection_patterns(collection)
        check_names(known.names, rename)
    with _search_locked(collection, "looks for patterns"):
        if rename:
            _name(collection, load_patterns(collection, ignore_damage=True) or known, rename)
        kept = find_collection_patterns(collection, on_progress)
        write_patterns(collection, kept)
        note_search(collection)
    return kept


def name_patterns(collection: Collection, rename: Mapping[str, str]) -> PatternNaming:
    """Name patterns that were found, and write the folder ``patterns`` again.

    Names are kept when patterns are looked for again. What gets one name becomes one pattern.

    Args:
        collection: A collection with patterns.
        rename: New names of patterns, by their present ones.

    Returns:
        All that it takes to undo it.

    Raises:
        AzulejarError: Nobody has looked for patterns, a name is unknown or unfit, or another
            process looks for patterns or sorts.

    Examples:
        >>> import azulejar
        >>> with azulejar.Collection.open("museum") as museum:
        ...     _ = azulejar.list_patterns(museum)
        ...     azulejar.name_patterns(museum, {"3": "P-17-00101"})
        Traceback (most recent call last):
        ...
        azulejar.errors.AzulejarError: There is no pattern 3. Choose from none.
    """
    with _search_locked(collection, "names patterns"):
        return _name(collection, require_patterns(collection), rename)


def _name(
    collection: Collection, kept: CollectionPatterns, rename: Mapping[str, str]
) -> PatternNaming:
    naming = plan_naming(collection, kept, rename)
    named = apply_naming(collection, kept, naming)
    if named is not None and naming.after:
        write_patterns(collection, named)
    return naming


def replay_naming(collection: Collection, naming: PatternNaming, *, undone: bool) -> bool:
    """Undo or redo a naming of patterns; return False if they have been changed since.

    The caller has locked the search, as moves of tiles do.
    """
    kept = load_patterns(collection, ignore_damage=True)
    named = None if kept is None else apply_naming(collection, kept, naming, undone=undone)
    if named is not None:
        write_patterns(collection, named)
    return named is not None


def solve_collection(
    collection: Collection,
    engine: Engine,
    *,
    groups: Sequence[Group] | None = None,
    preset: str = "standard",
    seed: int = 0,
    on_panel: Callable[[SolvedPanel | SkippedGroup], None] = lambda panel: None,
    on_progress: OnProgress = lambda fraction: None,
) -> list[SolvedPanel]:
    """Solve the groups of the last sort, and write each panel into the folder ``panels``.

    Panels that are solved already, from the same tiles, knowns and settings, are left as they
    are, so that the same call goes on where another was stopped; a KeyboardInterrupt also leaves
    the page of all panels up to date.

    Args:
        collection: A sorted collection.
        engine: The workers that solve.
        groups: Which to solve (see ``select_groups``); by default all of 12 tiles or more.
        preset: fast, standard or paper.
        seed: Same seed, same answer.
        on_panel: Called with each panel once it is written, or with a group that was skipped.
        on_progress: Called with the fraction of tiles that are dealt with.

    Returns:
        All panels that are solved by now.

    Raises:
        AzulejarError: The collection has not been sorted, is damaged, or another process solves it.

    Examples:
        >>> import azulejar
        >>> with azulejar.Collection.open("museum") as museum:
        ...     with azulejar.get_engine("local", workers=1) as engine:
        ...         panels = azulejar.solve_collection(museum, engine, preset="fast")
        >>> [panel.tiles for panel in panels]
        [16]
    """
    get_preset(preset)
    found = require_sort(collection)
    check_integrity(collection)
    chosen = select_groups(found) if groups is None else groups
    home = collection.folder / PANELS
    home.mkdir(exist_ok=True)
    total, done = sum(len(group.tiles) for group in chosen) or 1, 0

    def is_done(group: Group, key: str) -> bool:
        nonlocal done
        solved = is_solved(collection, group, key)
        done += len(group.tiles) if solved else 0
        return solved

    with locked(home, "puts panels together"):
        remove_leftovers(home)
        try:
            for each in solve_groups(
                collection, chosen, engine, preset=preset, seed=seed, is_done=is_done
            ):
                if isinstance(each, SkippedGroup):
                    on_panel(each)
                else:
                    on_panel(write_solved_panel(collection, each, preset, seed))
                done += len(each.group.tiles)
                on_progress(done / total)
        except KeyboardInterrupt:
            _write_overview(collection, found)
            raise
        return _write_overview(collection, found)


def report_collection(collection: Collection) -> Path:
    """Write ``report.html``, one page for the director of the museum, and return its path.

    It describes the last sort, and the panels that have been solved so far.

    Raises:
        AzulejarError: The collection has not been sorted, or is damaged.

    Examples:
        >>> import azulejar
        >>> with azulejar.Collection.open("museum") as museum:
        ...     azulejar.report_collection(museum).name
        'report.html'
    """
    found = require_sort(collection)
    check_integrity(collection)
    return write_director_report(collection, found, read_panels(collection, found.groups))


def _write_overview(collection: Collection, found: SortResult) -> list[SolvedPanel]:
    panels = read_panels(collection, found.groups)
    numbers = collection.inventories()
    inventory = {group.name: [numbers[tile] for tile in group.tiles] for group in found.groups}
    write_overview(collection.folder / PANELS, collection.name, panels, inventory)
    _add_moment(collection, "solve", found, panels)
    return panels


def _add_moment(
    collection: Collection, what: str, found: SortResult, panels: Sequence[SolvedPanel]
) -> None:
    laid = [panel.tiles for panel in panels]
    add_moment(collection, what, len(found.groups), len(found.strays), laid)


@contextmanager
def _search_locked(collection: Collection, what: str) -> Iterator[None]:
    work = collection.folder / SEARCH
    work.mkdir(exist_ok=True)
    with locked(work, what):
        yield
