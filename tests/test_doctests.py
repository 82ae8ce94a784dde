"""Every public name has an example, and all examples run as they stand."""

import doctest
import functools
import inspect
import shutil

import pytest

import azulejar
from azulejar.practice import samples

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
PARSER = doctest.DocTestParser()
TABLES = ("MEASURES", "SOLVERS", "PRESETS", "__version__")  # values: the module's own text has them
CALLED = [name for name in azulejar.__all__ if name not in TABLES]


@pytest.fixture(scope="module", autouse=True)
def panels_are_painted_once_and_no_process_is_started(workers_as_threads):
    """Nearly every example begins with the same practice puzzle."""
    with pytest.MonkeyPatch.context() as patch, workers_as_threads():
        patch.setattr(samples, "paint_panel", functools.cache(samples.paint_panel))
        yield


@pytest.fixture(scope="module")
def at_the_museum(tmp_path_factory):
    """A folder with a crate of tiles and, made of it, a collection that is sorted."""
    home = tmp_path_factory.mktemp("home")
    tiles, _ = azulejar.practice_puzzle(4, 4, size=24)
    for file, picture in zip(tiles.files, tiles.pixels, strict=True):
        azulejar.write_picture(home / "crate" / file, picture)
    with (
        azulejar.Collection.create(home / "museum") as museum,
        azulejar.get_engine("local", workers=1) as engine,
    ):
        azulejar.add_tiles(museum, [home / "crate"], engine=engine)
        azulejar.sort_collection(museum, engine)
    return home


def run(name, text):
    """Run the examples of a text with nothing but what they import themselves."""
    test = PARSER.get_doctest(text, {}, name, None, 0)
    assert test.examples, f"{name} has no example"
    failures = []
    doctest.DocTestRunner(optionflags=FLAGS).run(test, out=failures.append)
    assert not failures, "".join(failures)


def test_the_package():
    run("azulejar", azulejar.__doc__)
    for name in TABLES[:-1]:
        assert f"azulejar.{name}" in azulejar.__doc__


@pytest.mark.parametrize("name", CALLED)
def test_example_of(name, request, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(getattr(azulejar, name))
    if 'Collection.open("museum")' in text:
        monkeypatch.chdir(request.getfixturevalue("at_the_museum"))
    elif '["crate"]' in text:
        shutil.copytree(request.getfixturevalue("at_the_museum") / "crate", "crate")
    run(name, text)


@pytest.mark.parametrize("name", CALLED)
def test_arguments_of_functions_are_described(name):
    public = getattr(azulejar, name)
    text = inspect.getdoc(public)
    if inspect.isfunction(public):
        named = [p for p in inspect.signature(public).parameters if p not in ("self", "cls")]
        if len(named) > 1:
            lacking = [p for p in named if f"{p}: " not in text]
            assert lacking == []
