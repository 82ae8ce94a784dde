import re
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from azulejar.core.assembly import Assembly
from azulejar.core.compatibility import Compatibility
from azulejar.core.solution import Solution
from azulejar.core.tiles import Record, TileSet
from azulejar.judging.candidates import Place, candidates_for
from azulejar.judging.confidence import joint_confidence, tile_confidence
from azulejar.outputs.joint_map import JudgedAssembly
from azulejar.outputs.language import Words
from azulejar.outputs.report import write_report

VOID = {"meta", "img", "input", "br"}
HISTORY = [(0.1, 0, 3.0), (0.2, 1, 5.5), (0.4, 2, 7.25)]


class Page(HTMLParser):
    """Elements as (path of tags, attributes, text within), in the order in which they open."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open = [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        path = "/".join([*(element[0].rsplit("/", 1)[-1] for element in self.open), tag])
        element = [path, dict(attributes), ""]
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag):
        assert self.open.pop()[0].endswith(tag)

    def handle_data(self, data):
        for element in self.open:
            element[2] += data

    def texts(self, ending):
        return [text.strip() for path, _, text in self.elements if path.endswith(ending)]

    def with_class(self, name):
        return [e for e in self.elements if name in (e[1].get("class") or "").split()]


def report(
    folder, assembly, *, files=None, history=HISTORY, notes=(), upright=False, records=(), **words
):
    """Write a report on random tiles and scores; gives the page, its text and the scores."""
    n = len(assembly)
    rng = np.random.default_rng(n)
    files = files or tuple(f"T{i:03d}.png" for i in range(n))
    tiles = TileSet(
        rng.integers(0, 256, (n, 8, 8, 3), np.uint8),
        files,
        Path("Tiles & <more>"),
        notes,
        records,
    )
    compatibility = Compatibility(rng.random((4 * n, 4 * n), np.float32), files, "test")
    solution = Solution.of(
        assembly, files, measure="mgc", solver="genetic", seed=7, seconds=12.5, upright=upright
    )
    write_report(
        folder / "report.html",
        JudgedAssembly.of(tiles, assembly, compatibility),
        solution,
        history=history,
        panel_picture=np.zeros((20, 30, 3), np.uint8),
        **words,
    )
    text = (folder / "report.html").read_text(encoding="utf-8")
    return Page(text), text, compatibility


@pytest.fixture
def assembly():
    """Two panels: 4 × 4 with a hole in its corner and a row of two; three tiles not placed."""
    turn = np.random.default_rng(5).integers(0, 4, 20)
    row = [*np.repeat(range(4), 4)[:15], 0, 0, 0, 0, 0]
    col = [*np.tile(range(4), 4)[:15], 0, 1, 0, 0, 0]
    return Assembly.of(row, col, turn, [0] * 15 + [1, 1, -1, -1, -1])


def test_a_report_in_portuguese(tmp_path, assembly):
    page, text, _ = report(tmp_path, assembly, say=Words("pt"))
    assert '<html lang="pt">' in text
    assert "Confiança das juntas" in page.texts("h2")
    shown = " ".join(page.texts("body"))
    assert "painel 1, linha" in shown
    assert "12,50" in shown
    words = ("tiles", "rows", "turned", "place", "Seconds", "unknown", "joints", "panel ", "wrong")
    assert [each for each in words if each in shown] == []


def test_every_joint_stands_once_in_the_heat_maps(tmp_path, assembly):
    page, _, compatibility = report(tmp_path, assembly)
    joints, confidence = joint_confidence(compatibility, assembly)
    expected = [
        f"T{a:03d} – T{b:03d}: {c:.2f}" for (a, b), c in zip(joints // 4, confidence, strict=True)
    ]
    assert len(page.with_class("heat")) == 2
    titles = [e[2] for e in page.elements if re.search("figure/svg/rect$", e[0])]
    assert sorted(titles) == sorted(expected)


def test_bars_lie_on_their_joints(tmp_path):
    page, _, _ = report(tmp_path, Assembly.of([0, 0, 1], [0, 1, 0], [1, 2, 3]))
    bars = [e for e in page.elements if re.search("figure/svg/rect$", e[0])]
    centres = {
        e[2].split(":")[0]: tuple(
            int(e[1][start]) + int(e[1][length]) / 2
            for start, length in (("x", "width"), ("y", "height"))
        )
        for e in bars
    }
    assert centres["T000 – T001"] == pytest.approx((100, 50), abs=1)
    assert centres["T000 – T002"] == pytest.approx((50, 100), abs=1)


def test_nothing_is_fetched_from_elsewhere(tmp_path, assembly):
    page, text, _ = report(tmp_path, assembly)
    names = ("src", "href", "srcset", "data", "action", "poster")
    found = [e[1][name] for e in page.elements for name in names if name in e[1]]
    assert len(found) > 60
    assert all(reference.startswith("data:image/jpeg;base64,") for reference in found)
    assert not page.texts("script") + page.texts("link") + page.texts("iframe")
    assert "://" not in text
    assert "url(" not in text
    assert "@import" not in text


def test_names_and_notes_are_escaped(tmp_path):
    files = ("<i>&.png", 'x"y.png', "plain.png")
    notes = ("<script>alert(1)</script> was passed over",)
    page, text, _ = report(
        tmp_path, Assembly.of([0, 0, 0], [0, 1, 2], [0, 0, 0]), files=files, notes=notes
    )
    assert "<i>" not in text
    assert "<script" not in text
    assert '<i>& – x"y' in " ".join(page.texts("rect/title"))
    assert page.texts("h1") == ["Tiles & <more>"]
    assert notes[0] in page.texts("ul/li")


def test_the_headline_and_the_settings(tmp_path, assembly):
    page, _, compatibility = report(tmp_path, assembly)
    facts = dict(zip(page.texts("dl/div/dt"), page.texts("dl/div/dd"), strict=True))
    confidence = tile_confidence(compatibility, assembly)[assembly.panel >= 0]
    assert facts == {
        "tiles": "20",
        "rows × cols": "4 × 4",
        "mean confidence": f"{confidence.mean():.2f}",
        "measure": "mgc",
        "solver": "genetic",
        "seed": "7",
        "seconds": "12.50",
        "version": "–",
    }
    [warning] = page.texts("header/p")
    told = re.match(r"This is probably wrong: only about (\d+) % of the tiles", warning)
    assert int(told[1]) == round(100 * confidence.mean()) < 50
    settings = dict(zip(page.texts("tr/th"), page.texts("tr/td"), strict=True))
    assert settings["Turn of the tiles"] == "unknown"
    assert settings["Joints"] == str(len(assembly.joints()))


def test_the_twelve_least_sure_tiles_stand_first(tmp_path, assembly):
    page, _, compatibility = report(tmp_path, assembly)
    confidence = tile_confidence(compatibility, assembly)
    placed = np.flatnonzero(assembly.panel >= 0)
    doubted = sorted(placed, key=lambda tile: confidence[tile])[:12]
    assert page.texts("article/header/h3") == [f"T{tile:03d}" for tile in doubted]
    for text, tile in zip(page.texts("article/header"), doubted, strict=True):
        assert f"row {assembly.row[tile] + 1}, col {assembly.col[tile] + 1}" in text
        assert text.endswith(f"{confidence[tile]:.2f}")


@pytest.mark.parametrize("upright", [False, True])
def test_alternatives_rank_as_the_candidates_for_the_place(tmp_path, assembly, upright):
    page, _, compatibility = report(tmp_path, assembly, upright=upright)
    listed = [e[2] for e in page.elements if e[0].endswith("article/ol/li")]
    for name in page.texts("article/header/h3"):
        tile = int(name[1:])
        place = Place(*(int(a[tile]) for a in (assembly.panel, assembly.row, assembly.col)))
        everything = range(len(assembly))
        ranked, _ = candidates_for(compatibility, assembly, place, everything, upright=upright)
        others = [each for each in ranked if each.tile != tile][:4]
        for each in others:
            text = listed.pop(0)
            assert text.startswith(f"T{each.tile:03d}turned {90 * each.turn}°now ")
            assert text.endswith(f"{each.probability:.2f}")
    assert listed == []


def test_better_alternatives_are_marked(tmp_path, assembly):
    page, _, _ = report(tmp_path, assembly)
    own = float(page.texts("article/header/span")[1])
    for path, attributes, text in [e for e in page.elements if e[0].endswith("article/ol/li")][:4]:
        better = float(text[-4:])
        assert (attributes.get("class") == "better") == (better > own) or better == own, path


def test_tiles_without_a_place_are_shown(tmp_path, assembly):
    page, _, _ = report(tmp_path, assembly)
    assert page.texts("section/ol/li") == ["T017", "T018", "T019"]


def test_the_chart_of_the_objective_has_every_point(tmp_path, assembly):
    page, _, _ = report(tmp_path, assembly)
    assert page.texts("circle/title") == [
        "Generation 0, 0.1 s: objective 3.00",
        "Generation 1, 0.2 s: objective 5.50",
        "Generation 2, 0.4 s: objective 7.25",
    ]
    assert {"Generation", "Objective"} <= set(page.texts("svg/text"))
    (line,) = [e[1]["points"] for e in page.elements if e[0].endswith("polyline")]
    x_steps, y_steps = np.diff([tuple(map(float, p.split(","))) for p in line.split()], axis=0).T
    assert (x_steps > 0).all() and (y_steps < 0).all()


def test_the_chart_names_the_objective_and_not_the_fitness(tmp_path, assembly):
    """Guided growth maximises evidence, which is not the sum of the compatibilities."""
    page, text, _ = report(tmp_path, assembly)
    assert "Objective over generations" in page.texts("section/h2")
    assert "Fitness over generations" not in text
    (lead,) = [words for words in page.texts("section/p") if "maximises" in words]
    assert "on the solver's own scale" in lead
    assert "The sum of the compatibilities of all joints of the best assembly" not in text


def test_tiles_are_called_by_their_inventory_numbers(tmp_path, assembly):
    """As tiles.csv gives them: in titles of joints, doubts, their alternatives, and loose tiles."""
    records = tuple(Record(inventory=f"MNAz {i}/<b>") for i in range(len(assembly)))
    page, text, _ = report(tmp_path, assembly, records=records)
    numbers = {record.inventory for record in records}
    joints = page.texts("rect/title")
    assert joints and all(set(title.rsplit(":", 1)[0].split(" – ")) <= numbers for title in joints)
    for place in ("article/header/h3", "article/ol/li/div/b", "section/ol/li"):
        names = page.texts(place)
        assert names and set(names) <= numbers, place
    assert not re.search(r"T0\d\d", text)


@pytest.mark.parametrize("history", [[], [(0.0, 0, 0.0)], [(1.0, 9, 281.3)]])
def test_a_single_tile_and_a_short_history(tmp_path, history):
    page, _, _ = report(tmp_path, Assembly.of([0], [0], [0]), history=history)
    assert len(page.texts("circle/title")) == len(history)
    assert not page.with_class("joint") + page.with_class("doubt")
    assert "–" in page.texts("dl/div/dd")


def test_no_tile_placed(tmp_path):
    page, _, _ = report(tmp_path, Assembly.of([0, 0], [0, 0], [0, 0], [-1, -1]))
    assert page.texts("section/ol/li") == ["T000", "T001"]
