"""Every error that the package raises: its code, its templates and their values."""

import pickle
import re
from collections import defaultdict
from string import Formatter

from azulejar.cli.main import COMMANDS
from azulejar.errors import AzulejarError

CODE = re.compile(r"[a-z0-9]+(-[a-z0-9]+)+")
FLAG = re.compile(r"(?<![\w-])--?[a-z][\w-]*")
NAMES = [name for commands in COMMANDS.values() for name in commands]
COMMAND = re.compile(rf"\bazulejar ({'|'.join([*NAMES, 'collection'])})\b")
# Options of other programs.
OF_OTHERS = re.compile(r"ray start( --[\w-]+(, without --num-cpus 0)?)*|pip install \S+")


class WetCrateError(AzulejarError):
    """Any error derived from ours."""


def places(template):
    """The names between braces."""
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def test_every_error_has_a_code_and_two_templates(raised_errors):
    odd = [
        error.where
        for error in raised_errors
        if error.texts is None or len(error.texts) != 3 or not CODE.fullmatch(error.texts[0])
    ]
    assert odd == []


def test_every_placeholder_has_its_value(raised_errors):
    lacking = [
        (error.where, name)
        for error in raised_errors
        if error.texts is not None and error.values is not None
        for template in error.texts[1:]
        for name in places(template)
        if name not in error.values
    ]
    assert lacking == []


def test_one_code_has_one_pair_of_templates(raised_errors):
    pairs = defaultdict(set)
    for error in raised_errors:
        if error.texts is not None:
            pairs[error.texts[0]].add(error.texts[1:])
    assert [code for code, templates in pairs.items() if len(templates) > 1] == []


def test_the_library_speaks_neither_of_options_nor_of_commands(raised_errors):
    spoken = [
        (error.where, text)
        for error in raised_errors
        if not error.where.startswith("cli/")
        for text in error.all_texts
        if FLAG.search(OF_OTHERS.sub("", text)) or COMMAND.search(text)
    ]
    assert spoken == []


def test_errors_travel_between_processes():
    error = pickle.loads(
        pickle.dumps(WetCrateError("crate-wet", "Crate {crate} is wet.", "Dry.", crate=7))
    )
    assert type(error) is WetCrateError
    assert (error.code, error.values, str(error)) == (
        "crate-wet", {"crate": 7}, "Crate 7 is wet. Dry."
    )  # fmt: skip


def test_words_of_an_error_can_be_replaced():
    error = AzulejarError("crate-wet", "{path} is wet.", "Dry {path}.", path="/tmp/x/a", count=2)
    again = error.replacing("/tmp/x", "crate")
    assert str(again) == "crate/a is wet. Dry crate/a."
    assert again.values == {"path": "crate/a", "count": 2}
    assert (again.code, str(error)) == ("crate-wet", "/tmp/x/a is wet. Dry /tmp/x/a.")
