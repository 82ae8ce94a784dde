"""Errors of the library in the words of the command line."""

from string import Formatter

import pytest

from azulejar.cli import main
from azulejar.cli.messages import PROBLEMS, REMEDIES, phrase
from azulejar.errors import AzulejarError


@pytest.fixture(scope="module")
def values_by_code(raised_errors):
    """The names of the values that every error of a code has.

    Where they are passed on as a whole, those that its own templates use.
    """
    found = {}
    for error in raised_errors:
        if error.texts is not None:
            code, *templates = error.texts
            values = error.values if error.values is not None else places("".join(templates))
            found[code] = found.get(code, values) & values
    return found


def places(template):
    """The names between braces."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


@pytest.mark.parametrize("table", [PROBLEMS, REMEDIES], ids=["problems", "remedies"])
def test_every_entry_belongs_to_an_error_of_the_library(values_by_code, table):
    assert table.keys() <= values_by_code.keys()
    for code, template in table.items():
        assert places(template) <= values_by_code[code], code


@pytest.mark.parametrize("table", [PROBLEMS, REMEDIES], ids=["problems", "remedies"])
def test_the_entries_are_in_order(table):
    assert list(table) == sorted(table)


def test_an_error_without_an_entry_is_shown_in_its_own_words():
    error = AzulejarError("no-entry", "There is no {name}.", "Check {name}.", name="x")
    assert phrase(error) == "There is no x. Check x."


def test_an_entry_takes_the_place_of_the_library_s_words(monkeypatch, capsys):
    def fail():
        raise AzulejarError("size-odd", "{rows} rows?", "Give cols.", rows=3)

    monkeypatch.setitem(PROBLEMS, "size-odd", "{rows} rows are odd.")
    monkeypatch.setitem(REMEDIES, "size-odd", "Give --cols with --rows {rows}.")
    monkeypatch.setattr(main, "app", fail)
    with pytest.raises(SystemExit) as end:
        main.run()
    assert end.value.code == 2
    assert capsys.readouterr().err == "azulejar: 3 rows are odd. Give --cols with --rows 3.\n"
