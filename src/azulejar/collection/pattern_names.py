"""Names that people give to the patterns of a collection, and may take back."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from pydantic import BaseModel

from azulejar.collection.patterns import CollectionPatterns, StoredPattern
from azulejar.collection.sort_results import NUMBER
from azulejar.collection.storage.catalogue import Collection
from azulejar.collection.storage.overrides import RecordValues, edit_records
from azulejar.errors import AzulejarError
from azulejar.patterns.finding import unite_designs

LONGEST_NAME = 60  # characters


class PatternNaming(BaseModel):
    """Patterns that were named, and all that it takes to undo it.

    ``before`` and ``after`` are the patterns concerned: what gets one name becomes one pattern.
    ``records`` has the old and new names of those tiles, by inventory number, that ``tiles.csv``
    calls differently.
    """

    before: list[StoredPattern]
    after: list[StoredPattern]
    records: dict[str, tuple[str, str]]


def plan_naming(
    collection: Collection, kept: CollectionPatterns, rename: Mapping[str, str]
) -> PatternNaming:
    """Return what changes when patterns get new names; nothing is changed yet.

    Args:
        collection: The collection of the patterns.
        kept: Its patterns, drawn.
        rename: New names of patterns, by their present ones.

    Raises:
        AzulejarError: There is no pattern of such a name, or a new name is unfit.
    """
    check_names(kept.names, rename)
    stored = kept.stored()
    by_name: dict[str, list[StoredPattern]] = defaultdict(list)
    for each in stored:
        by_name[rename.get(each.name, each.name)].append(each)
    before, after, records = [], [], {}
    inventories, entries = collection.inventories(), collection.entries()
    for name, parts in by_name.items():
        if all(each.name == name for each in parts):
            continue
        before += parts
        if len(parts) == 1:
            after.append(parts[0].model_copy(update={"name": name}))
        else:
            designs = sorted({one for each in parts for one in each.designs})
            after.append(StoredPattern.of(name, unite_designs(kept.found.designs, designs)))
        for tile in CollectionPatterns.restored(after[-1:], kept.found.designs).by_tile():
            said = entries[tile].record.pattern
            if said and said != name:
                records[inventories[tile]] = (said, name)
    return PatternNaming(before=before, after=after, records=records)


def apply_naming(
    collection: Collection, kept: CollectionPatterns, naming: PatternNaming, *, undone: bool = False
) -> CollectionPatterns | None:
    """Return the patterns with their new names, or with the old ones if that is ``undone``.

    What ``tiles.csv`` said is overridden. None, and nothing is changed, if the patterns are not
    those that were named.
    """
    old, new = (naming.after, naming.before) if undone else (naming.before, naming.after)
    stored = kept.stored()
    rest = [each for each in stored if each not in old]
    taken = {each.name for each in rest} & {each.name for each in new}
    if len(rest) + len(old) != len(stored) or taken:
        return None
    values: list[dict[str, RecordValues]] = [
        {number: {"pattern": names[side]} for number, names in naming.records.items()}
        for side in ((1, 0) if undone else (0, 1))
    ]
    if naming.records and not edit_records(collection, *values):
        return None
    return CollectionPatterns.restored([*rest, *new], kept.found.designs)


def check_names(names: Sequence[str], rename: Mapping[str, str]) -> None:
    """Raise if there is no pattern of a name that is to be changed, or a new name is unfit."""
    for old, new in rename.items():
        if old not in names:
            raise AzulejarError(
                "pattern-unknown",
                "There is no pattern {name}.",
                "Choose from {names}.",
                name=old,
                names=", ".join(names[:12]) + " …" * (len(names) > 12) or "none",
            )
        if not new or len(new) > LONGEST_NAME or NUMBER.fullmatch(new):
            raise AzulejarError(
                "pattern-name-unfit",
                "A pattern cannot be called {name!r}.",
                "Give a name of 1 to {longest} characters that is not a number.",
                name=new[:LONGEST_NAME],
                longest=LONGEST_NAME,
            )
