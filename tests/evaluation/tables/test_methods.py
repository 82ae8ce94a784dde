"""Rows by their names."""

import json
import shutil
from dataclasses import replace

import pytest

from azulejar.errors import AzulejarError
from azulejar.evaluation.tables.methods import (
    DEFAULT,
    PAPER_METHODS,
    MethodChoice,
    Scorer,
    all_solvers,
    method_title,
)
from azulejar.measures import Dlcm
from azulejar.solvers import SOLVERS, KernelGrowth, get_preset
from azulejar.weights import CARD, HOME, load_model


def test_a_solver_by_itself_runs_with_each_measure():
    methods = MethodChoice(["fast", "kernel-growth@ssd", DEFAULT], ["mgc", "l1"]).methods([], "")
    assert [method.name for method in methods] == [
        ("fast", "mgc"),
        ("fast", "l1"),
        ("kernel-growth", "ssd"),
        (DEFAULT, "mgc"),
        (DEFAULT, "l1"),
    ]
    assert methods[0].solver == get_preset("fast")
    assert methods[2].solver == KernelGrowth()
    assert methods[3].solver == get_preset("standard")


def test_each_row_comes_once():
    assert len(MethodChoice(["fast", "fast@mgc"], ["mgc"]).methods([], "")) == 1


def test_scores_are_those_that_azulejar_solve_takes():
    mgc = Scorer.of("mgc")
    assert mgc.post == mgc.labelled_measure.measure.post == mgc.labelled_measure.post != ()
    assert Scorer.of("mgc", published=True).post == ()
    assert Scorer.of("mgc:minmax+symmetric").post == ("minmax", "symmetric")


def test_identities_differ_as_scores_do(tmp_path):
    model = shutil.copytree(HOME / Dlcm.model_name, tmp_path / "other")
    card = json.loads((model / CARD).read_text())
    card["calibration"]["sharpness"] *= 0.5
    (model / CARD).write_text(json.dumps(card))
    labels = ("mgc", "mgc:none", "mgc:minmax", "ssd", "dlcm", "dlcm:minmax", "twin")
    identities = [Scorer.of(label).identity for label in labels]
    identities.append(Scorer.of("dlcm", model=str(model)).identity)
    assert len(set(identities)) == len(identities)
    assert Scorer.of("mgc").identity == Scorer.of("mgc:likelihood+symmetric").identity
    assert load_model("light").checksum in Scorer.of("dlcm").identity
    steps = "mgc:likelihood+dnn-buddies"
    assert load_model("buddies").checksum in Scorer.of(steps).identity


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("slow@mgc", "no solver or preset 'slow'"),
        ("fast@magic", "no measure 'magic'"),
        ("fast@mgc:magic", "magic"),
        ("", "no solver or preset ''"),
    ],
)
def test_unknown_names_are_told(row, problem):
    with pytest.raises(AzulejarError, match=problem):
        MethodChoice([row]).methods([], "mgc")


def test_a_solver_may_have_settings_of_its_own():
    label = "kernel-growth:framed=.5+population=30"
    (method,) = MethodChoice([f"{label}@ssd*2"]).methods([], "mgc")
    assert (*method.name, method.runs) == (label, "ssd", 2)
    assert method.solver == KernelGrowth(framed=0.5, population=30)
    (method,) = MethodChoice([f"{DEFAULT}:whole=0"]).methods([], "mgc")
    assert method.solver == replace(get_preset("standard"), whole=0.0)
    assert method_title(label, "mgc") == "Kernel-growth (framed=.5+population=30) + MGC"


@pytest.mark.parametrize(
    "settings", ["", "framed", "framed=", "framed=x", "population=0.5", "depth=3", "=1"]
)
def test_settings_that_a_solver_does_not_have_are_refused(settings):
    with pytest.raises(AzulejarError, match="not a setting of kernel-growth") as refused:
        MethodChoice([f"kernel-growth:{settings}"]).methods([], "mgc")
    assert "framed, whole" in refused.value.remedy


def named(methods):
    return ["@".join(method.name) for method in methods]


def test_without_solvers_the_default_ones_take_the_measures():
    default = ["fast@ssd", "fast@l1", "kernel-growth"]
    assert named(MethodChoice().methods(default, "mgc")) == [
        "fast@ssd",
        "fast@l1",
        "kernel-growth@mgc",
    ]
    assert named(MethodChoice(measures=["l1", "mgc"]).methods(default, "ssd")) == [
        "fast@l1",
        "fast@mgc",
        "kernel-growth@l1",
        "kernel-growth@mgc",
    ]


def test_measures_by_themselves_are_as_published():
    assert [(each.label, each.post) for each in MethodChoice().scorers(["mgc", "mgc:minmax"])] == [
        ("mgc", ()),
        ("mgc:minmax", ("minmax",)),
    ]
    assert [each.label for each in MethodChoice(measures=["l1"]).scorers(["mgc"])] == ["l1"]


def test_the_rows_of_the_paper_are_there():
    assert named(MethodChoice().methods(PAPER_METHODS, "")) == [*PAPER_METHODS]


def test_all_solvers_come_once():
    solvers = [method.solver.name for method in MethodChoice().methods(all_solvers(), "mgc")]
    assert sorted(solvers) == sorted(SOLVERS)


def test_names_on_pages():
    assert method_title("gallagher", "mgc") == "Gallagher + MGC"
    assert method_title("kernel-growth", "dlcm") == "Kernel-growth + DLCM"
    assert method_title("fast", "ssd:minmax") == "fast + SSD (minmax)"


def test_a_row_may_have_its_own_number_of_runs():
    methods = MethodChoice(["fast*3", "gallagher@ssd*12", "paper"], ["mgc"]).methods([], "mgc")
    assert [(*method.name, method.runs) for method in methods] == [
        ("fast", "mgc", 3),
        ("gallagher", "ssd", 12),
        ("paper", "mgc", None),
    ]


@pytest.mark.parametrize("entry", ["fast*", "fast*0", "fast*-2", "fast*many"])
def test_a_number_of_runs_that_is_none_is_refused(entry):
    with pytest.raises(AzulejarError, match="how often to search"):
        MethodChoice([entry], ["mgc"]).methods([], "mgc")
