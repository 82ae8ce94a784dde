"""What the panels of a collection are called, from one sort to the next."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256

from azulejar.core.tiles import Record

_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


def name_groups(
    groups: Sequence[Sequence[int]],
    records: Sequence[Record],
    before: Mapping[int, str] | None = None,
) -> list[str]:
    """A name for each group of tiles, no two alike.

    A panel is called as ``tiles.csv`` calls it, or else keeps the name that most of its tiles had
    ``before`` (by tile), so that it stays the same panel when others are added; new ones get the
    next number.
    """
    names: list[str | None] = [None] * len(groups)
    taken: set[str] = set()
    for called in (lambda tile: records[tile].panel, (before or {}).get):
        votes = [
            (group, Counter(filter(None, map(called, tiles)))) for group, tiles in enumerate(groups)
        ]
        _give(names, taken, votes)
    free = _free_numbers([*taken, *(before or {}).values()])
    return [next(free) if name is None else name for name in names]


def _give(
    names: list[str | None], taken: set[str], votes: Iterable[tuple[int, Counter[str]]]
) -> None:
    """Names to groups that have none, to that with most votes first; then that of lowest number."""
    wishes = [
        (-count, group, name)
        for group, counted in votes
        for name, count in counted.items()
        if names[group] is None
    ]
    for _, group, name in sorted(wishes):
        if names[group] is None and name.casefold() not in taken:
            names[group] = name
            taken.add(name.casefold())


def _free_numbers(taken: Iterable[str]) -> Iterator[str]:
    used = {name for name in taken if _NUMBER.fullmatch(name)}
    number = 0
    while True:
        number += 1
        if str(number) not in used:
            yield str(number)


def folder_name(name: str) -> str:
    """The name of a panel as that of a folder on any system; numbers come in their order."""
    if _NUMBER.fullmatch(name):
        return f"panel_{int(name):04d}"
    plain = re.sub(r"[^\w-]+", "_", name).strip("_")[:60]
    if plain == name and not plain.isdigit():
        return f"panel_{plain}"
    # Two names may look alike once they are plain.
    return f"panel_{plain}_{sha256(name.encode()).hexdigest()[:6]}"
