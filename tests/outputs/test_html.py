"""Templates: values are escaped, nothing is left undefined, and every part is in the package."""

import re
from importlib.resources import files

import pytest
from jinja2 import UndefinedError

from azulejar.outputs import html
from azulejar.outputs.html import render_html, write_html

SHEET = {"title": "<A> & B", "note": "", "cards": []}


def test_values_are_escaped():
    page = render_html("find_sheet.html", **SHEET)
    assert "<h1>&lt;A&gt; &amp; B</h1>" in page
    assert "<A>" not in page


def test_styles_and_scripts_are_in_the_page_as_they_are():
    page = render_html("find_sheet.html", **SHEET)
    assert files("azulejar.outputs").joinpath("templates/base.css").read_text("utf-8") in page
    assert "'unsafe-inline'" in page


def test_a_value_that_is_missing_is_an_error():
    with pytest.raises(UndefinedError):
        render_html("find_sheet.html", title="A", note="")


def test_a_page_that_fails_leaves_no_file(tmp_path):
    with pytest.raises(UndefinedError):
        write_html(tmp_path / "page.html", "find_sheet.html", title="A", note="")
    assert list(tmp_path.iterdir()) == []


def test_crates_are_joined_as_words():
    module = html._environment().get_template("macros.html").module
    shown = [("<2>", 9), ("", 5)]
    told = [module.crate_counts({"shown": shown[:n], "more": more}) for n, more in
            ((1, 0), (2, 0), (2, 1200), (1, 2))]  # fmt: skip
    assert told == [
        "<b>&lt;2&gt;</b> ×9",
        "<b>&lt;2&gt;</b> ×9 and <b>–</b> ×5",
        "<b>&lt;2&gt;</b> ×9, <b>–</b> ×5 and 1,200 more",
        "<b>&lt;2&gt;</b> ×9 and 2 more",
    ]


def test_every_template_compiles_and_what_it_names_is_there():
    folder = files("azulejar.outputs").joinpath("templates")
    names = {path.name for path in folder.iterdir()}
    for name in names:
        if name.endswith(".html"):
            html._environment().get_template(name)
            text = folder.joinpath(name).read_text("utf-8")
            named = re.findall(r'(?:\{% extends |\{% from |inline\()"([^"]+)"', text)
            assert set(named) <= names
