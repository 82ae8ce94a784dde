"""Plug-ins: classes that installed packages add to a table of names by entry points."""

import inspect
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Generic, TypeVar

from azulejar.errors import AzulejarError

Kind = TypeVar("Kind")

_NAME = re.compile(r"[a-z0-9]+([._-][a-z0-9]+)*")  # other characters have a meaning in options


class PluginWarning(UserWarning):
    """An installed plug-in cannot be used; everything else can."""


class PluginTable(Mapping[str, type[Kind]], Generic[Kind]):
    """Classes by their names: those of the package, then those of installed packages.

    Entry points of ``group`` are loaded when a name is asked for that is not one of our own, or
    when names are listed. One that cannot be used is left out with a warning, and asking for its
    name raises an error that says the same.
    """

    def __init__(self, group: str, base: type[Kind], own: Iterable[type[Kind]]) -> None:
        self.group = group
        self._base = base
        self._own: dict[str, type[Kind]] = {_name_of(each): each for each in own}
        self._all: dict[str, type[Kind]] | None = None
        self._problems: dict[str, AzulejarError] = {}

    def __getitem__(self, name: str) -> type[Kind]:
        return self._own[name] if name in self._own else self._load()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._load())

    def __len__(self) -> int:
        return len(self._load())

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._load()

    @property
    def own(self) -> list[str]:
        """The names of the package itself; no plug-in is loaded for them."""
        return list(self._own)

    @property
    def added(self) -> list[str]:
        """The names that installed packages add."""
        return [name for name in self if name not in self._own]

    def check(self, name: str) -> None:
        """Raise AzulejarError if a plug-in of that name is installed, but cannot be used."""
        self._load()
        if name in self._problems:
            raise self._problems[name]

    def reload(self) -> None:
        """Look again at what is installed."""
        self._all, self._problems = None, {}

    def _load(self) -> dict[str, type[Kind]]:
        if self._all is None:
            self._all = dict(self._own)
            homes: dict[str, str] = dict.fromkeys(self._own, "azulejar")
            for entry in sorted(entry_points(group=self.group), key=_order):
                package = _package(entry)
                try:
                    self._all[entry.name] = self._check(entry, homes)
                    homes[entry.name] = package
                except Exception as error:  # a plug-in may fail in any way
                    self._report(entry, package, error)
        return self._all

    def _check(self, entry: EntryPoint, homes: Mapping[str, str]) -> type[Kind]:
        """Load one plug-in; raise, with a reason that ends the sentence, if it cannot be used."""
        if not _NAME.fullmatch(entry.name):
            raise ValueError("a name has small letters, digits and hyphens")
        if entry.name in homes:
            raise ValueError(f"the package {homes[entry.name]} has that name already")
        found: Any = entry.load()
        if not (isinstance(found, type) and issubclass(found, self._base)):
            raise TypeError(f"{entry.value} is no subclass of {self._base.__name__}")
        missing = sorted(getattr(found, "__abstractmethods__", ()))
        if missing:
            raise TypeError(f"{found.__name__} lacks the method {missing[0]}")
        if _name_of(found) != entry.name:
            raise ValueError(f"{found.__name__} has the name {_name_of(found)!r}")
        try:
            inspect.signature(found).bind()
        except TypeError as error:
            raise TypeError(f"{found.__name__} needs arguments to be made ({error})") from error
        return found

    def _report(self, entry: EntryPoint, package: str, reason: Exception) -> None:
        error = AzulejarError(
            "plugin-unusable",
            "The plug-in {name!r} of the package {package} cannot be used: {reason}.",
            "Update or remove that package.",
            name=entry.name,
            package=package,
            reason=_one_line(reason),
        )
        error.__cause__ = reason
        self._problems.setdefault(entry.name, error)
        warnings.warn(str(error), PluginWarning, stacklevel=5)


def _name_of(found: type[Any]) -> str:
    return str(getattr(found, "name", ""))


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist is not None else entry.value.partition(":")[0]


def _order(entry: EntryPoint) -> tuple[str, str]:
    return entry.name, _package(entry)


def _one_line(reason: Exception) -> str:
    text = " ".join(str(reason).split()).rstrip(".")
    expected = isinstance(reason, TypeError | ValueError)
    return text if expected and text else f"{type(reason).__name__}: {text}".rstrip(": ")
