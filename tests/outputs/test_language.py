"""Every sentence of reports and plans stands in the catalogue of every other language."""

import json
import re
from importlib.resources import files
from pathlib import Path
from string import Formatter

import pytest

from azulejar.outputs import wording
from azulejar.outputs.plan import pages

OUTPUTS = Path(str(files("azulejar.outputs")))
CATALOGUES = {
    file.stem: json.loads(file.read_text("utf-8")) for file in OUTPUTS.glob("texts/*.json")
}
SAID = re.compile(r"""\bsay\(\s*((?:"[^"]*"\s*)+|'[^']*')""")


def said():
    """All that the code says, as it is written there."""
    found = {name for name, _ in pages.COLUMNS} | set(pages.SIDE_UP.values())
    found |= {wording.PROBABLY_WRONG, wording.TAKEN_FOR_UPRIGHT}
    found |= {wording.LOOSE_PART, wording.MIRRORED_PART}
    for path in [*OUTPUTS.rglob("*.py"), *OUTPUTS.glob("templates/*.html")]:
        for whole in SAID.findall(path.read_text("utf-8")):
            found.add(
                "".join(re.findall(r"""["']([^"']*)["']""", whole))
                if "\n" in whole
                else whole.strip()[1:-1]
            )
    source = (OUTPUTS / "plan" / "pages.py").read_text("utf-8")
    found |= {"row {first}", "col {first}", "rows {first} to {last}", "cols {first} to {last}"}
    return found | set(re.findall(r'text = "([^"]*)"\n', source))


def names(text):
    return {(name, spec) for _, name, spec, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("language", CATALOGUES)
def test_no_sentence_is_missing_and_none_is_too_many(language):
    assert len(said()) > 60
    assert sorted(said() - CATALOGUES[language].keys()) == []
    assert sorted(CATALOGUES[language].keys() - said()) == []


@pytest.mark.parametrize("language", CATALOGUES)
def test_the_same_values_are_filled_in(language):
    for english, translated in CATALOGUES[language].items():
        assert translated.strip()
        assert names(english) == names(translated), english
