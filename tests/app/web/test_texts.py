"""All words of the page stand in one table a language, and nowhere else."""

import json
import re
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path

import pytest

WEB = Path(str(files("azulejar.app") / "web"))
TEXTS = {file.stem: json.loads(file.read_text("utf-8")) for file in (WEB / "texts").iterdir()}
SCRIPTS = {str(file.relative_to(WEB)): file.read_text("utf-8") for file in WEB.rglob("*.js")}
CODE = "\n".join(SCRIPTS.values())

STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"|`([^`]*)`')
COMMENT = re.compile(r"/\*.*?\*/|(?<![:\w\"])//[^\n]*", re.DOTALL)
WORDS = re.compile(r"^[A-ZÀ-Ý][a-zà-ÿ]+(?: [a-zà-ÿ]+)+|^[^/]*[a-zà-ÿ]{2,}[.!?]$|^[A-Z][a-z]{2,}$")
NOT_WORDS = {"English", "Português"}  # languages are named in themselves
KEYS_OF_KEYBOARD = re.compile(
    r"^(Enter|Escape|Tab|Space|Delete|Backspace|Home|End|Shift|Control|Alt|Meta|Arrow\w+|Page\w+)$"
)


def test_both_languages_have_the_same_keys():
    assert set(TEXTS) == {"en", "pt"}
    assert list(TEXTS["en"]) == list(TEXTS["pt"])


@pytest.mark.parametrize("language", TEXTS)
def test_nothing_is_left_empty(language):
    for key, words in TEXTS[language].items():
        forms = words.values() if isinstance(words, dict) else [words]
        assert all(form.strip() for form in forms), key


def test_both_languages_fill_in_the_same_values():
    for key, words in TEXTS["en"].items():
        other = TEXTS["pt"][key]
        assert isinstance(words, dict) == isinstance(other, dict), key
        assert _values(words) == _values(other), key


def _values(words):
    forms = words.values() if isinstance(words, dict) else [words]
    return {name for form in forms for name in re.findall(r"\{(\w+)\}", form)}


def test_every_key_in_the_code_is_known():
    used = set(re.findall(r'(?<![\w.])(?:text|say)\("([a-z][\w.-]+)"', CODE))
    assert len(used) > 100
    assert used - set(TEXTS["en"]) == set()


def test_every_key_is_used():
    """Keys are written whole, or begin in the code and are completed with a name."""
    whole = set(re.findall(r'"([a-z][\w.-]+)"', CODE))
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
    allowed = NOT_WORDS | {"Files", "Content-Type", "Accept"}
    assert [each for each in words if each not in allowed] == []


@pytest.mark.parametrize("script", SCRIPTS)
def test_data_never_becomes_html(script):
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write", SCRIPTS[script])


def test_scripts_are_short():
    assert {name for name, code in SCRIPTS.items() if code.count("\n") >= 300} == set()


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
