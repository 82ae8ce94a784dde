"""Plug-ins: names that installed packages add, and packages that are broken."""

import sys
import warnings
from abc import ABC, abstractmethod
from types import SimpleNamespace

import pytest

from azulejar.errors import AzulejarError
from azulejar.system.plugins import PluginTable, PluginWarning

GROUP = "azulejar.tests.pets"


class Pet(ABC):
    @abstractmethod
    def speak(self): ...


class Dog(Pet):
    name = "dog"

    def speak(self):
        return "woof"


MODULE = """
from {home} import Pet
class Cat(Pet):
    name = "cat"
    def __init__(self, mood="fine"): self.mood = mood
    def speak(self): return "meow"
class Mute(Pet):
    name = "mute"
class Demanding(Cat):
    name = "demanding"
    def __init__(self, mood): pass
dog = Cat
"""


@pytest.fixture
def install(tmp_path, monkeypatch):
    """A function that installs a package with entry points, as pip leaves it."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "pets_at_home", SimpleNamespace(Pet=Pet))

    def make(package, source=MODULE, **names):
        module = package.replace("-", "_")
        (tmp_path / f"{module}.py").write_text(source.format(home="pets_at_home"), encoding="utf-8")
        info = tmp_path / f"{module}-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        lines = [f"{name.replace('_', '-')} = {module}:{value}" for name, value in names.items()]
        (info / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines]) + "\n")

    yield make
    for module in [name for name in sys.modules if name.startswith("zoo_")]:
        del sys.modules[module]


@pytest.fixture
def table():
    return PluginTable(GROUP, Pet, [Dog])


def quiet(table):
    """All names, where no plug-in is to be warned about."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return list(table)


def test_our_own_come_first_and_need_no_plug_in(table, install):
    install("zoo-cats", source="raise RuntimeError", cat="Cat")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert table["dog"] is Dog
        assert "dog" in table
        assert table.own == ["dog"]


def test_an_installed_package_adds_its_names(table, install):
    install("zoo-cats", cat="Cat")
    assert quiet(table) == ["dog", "cat"]
    assert len(table) == 2
    assert (table.own, table.added) == (["dog"], ["cat"])
    assert table["cat"]().speak() == "meow"
    table.check("cat")
    table.check("nobody")
    with pytest.raises(KeyError):
        table["nobody"]


@pytest.mark.parametrize(
    ("source", "names", "reason"),
    [
        (
            "import nowhere_at_all",
            {"cat": "Cat"},
            "ModuleNotFoundError: No module named",
        ),
        ("this is no Python", {"cat": "Cat"}, "SyntaxError"),
        ("raise SystemError('of its\\nown')", {"cat": "Cat"}, "SystemError: of its own."),
        (MODULE, {"cat": "Lion"}, "AttributeError: .* has no attribute 'Lion'"),
        (MODULE, {"mute": "Mute"}, "Mute lacks the method speak"),
        (MODULE, {"cat": "__name__"}, "zoo_cats:__name__ is no subclass of Pet"),
        (MODULE, {"tiger": "Cat"}, "Cat has the name 'cat'"),
        (MODULE, {"demanding": "Demanding"}, "Demanding needs arguments .*mood"),
        (MODULE, {"dog": "Cat"}, "the package azulejar has that name already"),
        (MODULE, {"Cat": "Cat"}, "a name has small letters"),
    ],
)
def test_a_broken_plug_in_is_left_out_in_one_sentence(table, install, source, names, reason):
    install("zoo-cats", source=source, **names)
    install("zoo-good", good_cat="Good", source=MODULE + "class Good(Cat):\n    name = 'good-cat'")
    (name,) = names
    sentence = rf"The plug-in '{name}' of the package zoo-cats cannot be used: .*{reason}"
    with pytest.warns(PluginWarning, match=sentence) as told:
        assert list(table) == ["dog", "good-cat"]
    assert len(told) == 1
    assert quiet(table) == ["dog", "good-cat"]
    assert table["dog"] is Dog
    with pytest.raises(AzulejarError, match=sentence) as error:
        table.check(name)
    assert "\n" not in str(error.value)
    assert error.value.code == "plugin-unusable"
    assert error.value.values["package"] == "zoo-cats"


def test_of_two_packages_the_second_is_refused(table, install):
    install("zoo-a", cat="Cat")
    install("zoo-b", cat="Cat")
    with pytest.warns(PluginWarning, match="package zoo-b .* the package zoo-a has that name"):
        assert list(table) == ["dog", "cat"]
    assert table["cat"].__module__ == "zoo_a"


def test_packages_that_came_later_are_found_when_asked_again(table, install):
    assert quiet(table) == ["dog"]
    install("zoo-cats", cat="Cat")
    table.reload()
    assert quiet(table) == ["dog", "cat"]
