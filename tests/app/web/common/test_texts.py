"""All texts of the page stand in one table for each language, and nowhere else."""

import ast
import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from string import Formatter
from types import SimpleNamespace

import numpy as np
import pytest

from azulejar.app.jobs import import_job
from azulejar.imaging.photographs import quality
from azulejar.imaging.photographs.narrow import Narrow

WEB = Path(str(files("azulejar.app") / "web"))
# Texts of the server: it sends them in English, with the codes by which they are translated.
TRANSLATED = ("errors", "notes", "remarks", "words")
ALL = {file.stem: json.loads(file.read_text("utf-8")) for file in (WEB / "texts").iterdir()}
TEXTS = {
    language: {key: words for key, words in texts.items() if key not in TRANSLATED}
    for language, texts in ALL.items()
}
SCRIPTS = {str(file.relative_to(WEB)): file.read_text("utf-8") for file in WEB.rglob("*.js")}
CODE = "\n".join(SCRIPTS.values())

STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`([^`]*)`')
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\w\"])//[^\n]*", re.DOTALL)
WORDS = re.compile(r"^[A-ZÀ-Ý][a-zà-ÿ]+(?: [a-zà-ÿ]+)+|^[^/]*[a-zà-ÿ]{2,}[.!?]$|^[A-Z][a-z]{2,}$")
KEYS_OF_KEYBOARD = re.compile(
    r"^(Enter|Escape|Tab|Space|Delete|Backspace|Home|End|Shift|Control|Alt|Meta|Arrow\w+|Page\w+)$"
)


def test_every_catalogue_is_offered():
    offered = re.search(r"const TAGS = (\[[^\]]*\])", SCRIPTS["js/common/texts.js"])
    assert sorted(json.loads(offered[1])) == sorted(TEXTS)
    assert len({texts["language.name"] for texts in TEXTS.values()}) == len(TEXTS)


@pytest.mark.parametrize("language", TEXTS)
def test_no_key_is_missing_and_none_is_too_many(language):
    assert list(TEXTS[language]) == list(TEXTS["en"])


@pytest.mark.parametrize("language", TEXTS)
def test_nothing_is_left_empty(language):
    for key, words in TEXTS[language].items():
        forms = words.values() if isinstance(words, dict) else [words]
        assert all(form.strip() for form in forms), key


@pytest.mark.parametrize("language", TEXTS)
def test_all_languages_fill_in_the_same_values(language):
    for key, words in TEXTS["en"].items():
        other = TEXTS[language][key]
        assert isinstance(words, dict) == isinstance(other, dict), key
        assert not isinstance(other, dict) or "other" in other, key
        assert _values(words) == _values(other), key


def _values(words):
    forms = words.values() if isinstance(words, dict) else [words]
    return {name for form in forms for name in re.findall(r"\{(\w+)\}", form)}


def test_every_key_in_the_code_is_known():
    used = set(re.findall(r'(?<![\w.])(?:text|say|writeLabel)\("([a-z][\w.-]+)"', CODE))
    assert len(used) > 100
    assert used - set(TEXTS["en"]) == set()


def test_every_key_is_used():
    """Keys are written whole, some by the server, or begin in the code and end with a name."""
    server = "".join(path.read_text("utf-8") for path in (WEB.parent / "routes").glob("*.py"))
    whole = set(re.findall(r'"([a-z][\w.-]+)"', CODE + server))
    parts = [re.split(r"\$\{[^}]*\}", each) for each in re.findall(r"`([a-z][^`\s]*)`", CODE)]
    patterns = [re.compile("[^ ]+".join(map(re.escape, part)) + "$") for part in parts]
    unused = [
        key
        for key in TEXTS["en"]
        if key not in whole and not any(pattern.match(key) for pattern in patterns)
    ]
    assert unused == []


@pytest.mark.parametrize("script", SCRIPTS)
def test_there_are_no_words_in_the_code(script):
    code = COMMENT.sub("", SCRIPTS[script])
    strings = [a or b for a, b in STRING.findall(code)]
    words = [each for each in strings if WORDS.search(each) and not KEYS_OF_KEYBOARD.match(each)]
    allowed = {"Files", "Content-Type", "Accept"}
    assert [each for each in words if each not in allowed] == []


@pytest.mark.parametrize("script", SCRIPTS)
def test_data_never_becomes_html(script):
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", SCRIPTS[script])


def test_scripts_are_short():
    assert {name for name, code in SCRIPTS.items() if code.count("\n") >= 300} == set()


def test_a_class_is_styled_in_one_sheet():
    """All sheets apply to all views: two meanings of a name would meet in each other's view."""
    sheets: dict[str, set[str]] = {}
    for file in WEB.glob("*.css"):
        if file.stem not in ("print", "tablet"):  # these change what others say
            for name in re.findall(
                r"(?<!,\n)^(\.[\w-]+) \{", file.read_text("utf-8"), re.MULTILINE
            ):
                sheets.setdefault(name, set()).add(file.stem)
    assert len(sheets) > 100
    assert {name: found for name, found in sheets.items() if len(found) > 1} == {}


def test_the_page_itself_holds_only_its_name():
    class Words(HTMLParser):
        found = ()

        def handle_data(self, data):
            self.found += tuple(data.split())

    page = Words()
    page.feed((WEB / "index.html").read_text("utf-8"))
    assert page.found == ("azulejar",)


def test_every_icon_that_is_named_is_drawn():
    drawn = set(re.findall(r'<symbol id="([\w-]+)"', (WEB / "icons/sprite.svg").read_text()))
    named = set(re.findall(r'(?<!\w)(?:icon|iconButton)\("([\w-]+)"', CODE))
    named |= set(re.findall(r'drawing: "([\w-]+)"', CODE))
    assert len(named) > 20
    assert named <= drawn


ROOMS = (  # that the page can reach
    *("app", "collection", "core", "imaging", "judging", "knowledge", "measures", "outputs"),
    *("practice", "reference", "solvers", "sorting", "system", "weights"),
)
COMMANDS = (  # in these rooms, what only commands can reach
    *("collection/engines/cluster.py", "collection/storage/backup.py"),
    "outputs/collection/find_sheet.py",
)
# Values that are English texts of the system or of a library: a translation may leave them out.
ENGLISH = {"reason", "content"}


def _names(template):
    return {name for _, name, _, _ in Formatter().parse(template) if name is not None}


def _same_values(english, translated):
    return _names(translated) <= _names(english) <= _names(translated) | ENGLISH


def test_every_error_that_the_page_can_meet_is_told_in_portuguese(raised_errors):
    met = {
        error.texts[0]: error.texts[1:]
        for error in raised_errors
        if error.texts is not None
        and error.where.split("/")[0] in ROOMS
        and not error.where.startswith(COMMANDS)
    }
    assert len(met) > 150
    told = ALL["pt"]["errors"]
    assert sorted(met.keys() - told.keys()) == []
    assert sorted(told.keys() - met.keys()) == []
    for code, (problem, remedy) in met.items():
        assert told[code].keys() == {"problem", "remedy"}
        assert _same_values(problem, told[code]["problem"]), code
        assert _same_values(remedy, told[code]["remedy"]), code


def test_every_note_of_a_job_is_told_in_portuguese():
    app = WEB.parent
    calls = [
        call
        for text in (path.read_text("utf-8") for path in app.rglob("*.py"))
        if ".note(" in text
        for call in ast.walk(ast.parse(text))
        if isinstance(call, ast.Call) and getattr(call.func, "attr", "") == "note"
    ]
    noted = {
        call.args[0].value: call.args[1].value
        for call in calls
        if isinstance(call.args[0], ast.Constant)
    } | {f"size-{kind}": text for kind, text in import_job.SIZES.items()}
    assert len(noted) > 5
    assert noted.keys() == ALL["pt"]["notes"].keys()
    for code, template in noted.items():
        assert _same_values(template, ALL["pt"]["notes"][code]), code


def test_every_remark_of_an_import_is_told_in_portuguese():
    small, lost = np.zeros((20, 20, 3), np.uint8), np.arange(20) < 4
    founds = [
        SimpleNamespace(whole_frame=whole, support=0.5, misfit=misfit, glaze=None, narrow=narrow)
        for whole, misfit, narrow in (
            (True, 0.0, None),
            (False, 0.0, Narrow("high", 0.8)),
            (False, 0.5, Narrow("wide", 0.8)),
        )
    ]
    notes = [quality.assess_quality(small, found, lost).note for found in founds]
    notes += [quality.Quality(1.0, 0.5, 0.2, 1.0, (), cut).note for cut in (False, True)]
    remarks = {remark for note in notes for remark in note.split("; ")}
    assert len(remarks) >= 10
    patterns = [
        re.compile(re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(english)))
        for english in ALL["pt"]["remarks"]
    ]
    assert [each for each in remarks if not any(p.fullmatch(each) for p in patterns)] == []
    for english, translated in ALL["pt"]["remarks"].items():
        assert _names(english) == _names(translated)


def test_shares_in_notes_of_an_import_have_the_decimals_of_the_language(page):
    said = page.evaluate(
        """async language => {
            const texts = await import("/static/any/js/common/texts.js");
            await texts.loadTexts();
            texts.speak(language);
            return [
                texts.phraseTileNote("glare on 30%; about 1.4% missing at the corners"),
                texts.phraseTileNote("joined from 1.4, 2.5"),
            ];
        }""",
        "pt",
    )
    assert said == [
        "reflexo em 30%; faltam cerca de 1,4% nos cantos",
        "unido a partir de 1.4, 2.5",
    ]
