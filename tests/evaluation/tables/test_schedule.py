"""Which results each table has."""

from collections import Counter
from dataclasses import dataclass

import pytest
from PIL import Image

from azulejar.errors import AzulejarError
from azulejar.evaluation.tables import schedule
from azulejar.evaluation.tables.methods import Method, MethodChoice, Scorer
from azulejar.evaluation.tables.puzzle_recipes import find_sources
from azulejar.solvers import KernelGrowth
from azulejar.solvers.runs import seeds


@dataclass(frozen=True)
class Upright(KernelGrowth):
    """Takes one variant only, and no chances."""

    turned = False
    unknown_size = False
    random = False


@pytest.fixture(scope="module")
def sources(painted):
    return find_sources(painted)


@pytest.fixture(scope="module")
def methods():
    return MethodChoice(["fast"], ["mgc", "ssd"]).methods([], "")


def test_reconstruct_has_all_variants_and_seeds(sources, methods):
    tasks = schedule.plan_reconstruct(sources, methods, [0.03, 0.07], 3, seed=5)
    assert len(tasks) == 2 * 2 * 4 * 2 * 3
    assert len({task.key for task in tasks}) == len(tasks)
    assert {task.seed for task in tasks} == set(seeds(5, 3))
    assert {task.recipe.seed for task in tasks} == {5}
    variants = Counter((task.recipe.upright, task.known) for task in tasks)
    assert variants == dict.fromkeys(schedule.VARIANTS, 24)
    for task in tasks:
        panel = task.recipe.source.panel
        size = (panel.rows, panel.cols) if task.known else (None, None)
        assert (task.knowns.rows, task.knowns.cols) == size
        assert task.knowns.upright == task.recipe.upright


def test_reconstruct_has_every_light_asked_for(painted):
    chosen = MethodChoice(["fast"], ["mgc"])
    tasks = schedule.plan_table("reconstruct", painted, chosen, lights=("none", "strong"), runs=1)
    assert {task.recipe.light for task in tasks} == {"none", "strong"}
    assert len(tasks) == 2 * len(schedule.plan_table("reconstruct", painted, chosen, runs=1))
    with pytest.raises(AzulejarError, match="no kind of light 'dark'"):
        schedule.plan_table("reconstruct", painted, chosen, lights=("none", "dark"))


def test_a_solver_gets_what_it_takes_once_if_chance_has_no_part(sources):
    method = Method("upright", Upright(), Scorer.of("mgc"))
    (task,) = schedule.plan_reconstruct(sources[:1], [method], [0.03], 10, seed=0)
    assert (task.recipe.upright, task.known, task.seed) == (True, True, 0)


def test_corruptions_have_every_level_once(sources, methods):
    tasks = schedule.plan_corruptions(sources[:1], methods[:1], seed=0)
    levels = [
        (t.recipe.trim, t.recipe.corruption, t.recipe.amount) for t in tasks if t.recipe.upright
    ]
    assert sorted(levels) == sorted(
        [(trim, "none", 0.0) for trim in (0.03, 0.05, 0.07, 0.09, 0.11, 0.14)]
        + [(0.03, "missing", part) for part in (0.05, 0.1, 0.2)]
        + [(0.03, "content", part) for part in (0.1, 0.2, 0.3)]
    )
    variants = {(t.recipe.upright, t.known) for t in tasks}
    assert variants == {(True, True), (False, True), (False, False)}
    assert len(tasks) == 3 * len(levels)


def test_tables_share_their_cells(sources, methods):
    reconstruct = {
        task.key for task in schedule.plan_reconstruct(sources, methods, [0.03], 1, seed=0)
    }
    corruptions = {task.key for task in schedule.plan_corruptions(sources, methods, seed=0)}
    assert len(reconstruct & corruptions) == 2 * 2 * 3  # panels, methods, variants


def test_standard_is_cut_pixel_for_pixel(sources, methods):
    tasks = schedule.plan_standard(sources, methods, seed=0)
    assert len(tasks) == 2 * 2 * 2
    assert all(task.known and task.recipe.crop for task in tasks)
    assert {(task.recipe.size, task.recipe.trim) for task in tasks} == {(28, 0.0)}


def test_solvers_that_take_no_size_do_the_standard_sets_without_it(sources):
    methods = MethodChoice(["multi-segment", "fast"], ["mgc"]).methods([], "")
    tasks = schedule.plan_standard(sources, methods, seed=0)
    assert len(tasks) == 2 * 2 * 2
    assert {(task.method.solver.name, task.known) for task in tasks} == {
        ("multi-segment", False), ("guided-growth", True),
    }  # fmt: skip


def test_lsej_has_every_grid_and_crop_upright_with_its_size(tmp_path, methods):
    Image.new("RGB", (1000, 1100)).save(tmp_path / "large.png")
    Image.new("RGB", (500, 999)).save(tmp_path / "small.png")
    tasks = schedule.plan_table("lsej", tmp_path, MethodChoice(["fast"], ["mgc", "ssd"]))
    assert all(task.known and task.recipe.upright and task.recipe.size == 50 for task in tasks)
    found = Counter(
        (task.recipe.source.panel.name, task.knowns.rows, task.knowns.cols, task.recipe.trim)
        for task in tasks
    )
    grids = [("large", 10, 10), ("large", 20, 20), ("small", 10, 10)]
    assert found == {(*grid, trim): 2 for grid in grids for trim in (0.04, 0.1, 0.16)}
    assert len({task.key for task in tasks}) == len(tasks)


def test_eroded_is_upright_and_turned_in_pieces_of_64_px(tmp_path):
    Image.new("RGB", (672, 504)).save(tmp_path / "mit.png")
    tasks = schedule.plan_table("eroded", tmp_path, MethodChoice(["fast"], ["mgc"]))
    panels = {(task.recipe.source.panel.rows, task.recipe.source.panel.cols) for task in tasks}
    assert panels == {(7, 10)}
    assert {(task.recipe.upright, task.recipe.size, task.recipe.trim) for task in tasks} == {
        (upright, 64 - 2 * lost, lost / 64) for upright in (True, False) for lost in (4, 9)
    }
    assert all(task.known and task.recipe.crop for task in tasks)


def test_groups_share_puzzle_and_scores(sources):
    methods = MethodChoice(["fast", "kernel-growth"], ["mgc", "ssd"]).methods([], "")
    tasks = schedule.plan_reconstruct(sources, methods, [0.03], 2, seed=0)
    groups = schedule.group_tasks([*tasks, *tasks])
    assert len(groups) == 2 * 2 * 2  # panels, upright or turned, measures
    assert sorted(task.key for group in groups for task in group) == sorted(t.key for t in tasks)
    for group in groups:
        assert len({(task.recipe, task.scorer) for task in group}) == 1


def test_keys_name_what_determines_the_outcome_alone(sources):
    (one,) = schedule.plan_standard(
        sources[:1], MethodChoice(["standard"], ["mgc"]).methods([], ""), seed=0
    )[:1]
    (same,) = schedule.plan_standard(
        sources[:1], MethodChoice(["default"], ["mgc"]).methods([], ""), seed=0
    )[:1]
    (other,) = schedule.plan_standard(
        sources[:1], MethodChoice(["fast"], ["mgc"]).methods([], ""), seed=0
    )[:1]
    assert one.key == same.key != other.key


def test_ranks_have_every_trim_and_measure(sources):
    scorers = [Scorer.of(name, published=True) for name in ("ssd", "mgc")]
    tasks = schedule.plan_ranks(sources, scorers, [0.03, 0.07], seed=0)
    assert len({task.key for task in tasks}) == len(tasks) == 2 * 2 * 2 * 2


# Of each default method: solver, its class, measure, and the steps of its post-processing.
PAPER = [
    ("gallagher", "Gallagher", "mgc", ("likelihood", "symmetric")),
    ("sholomon", "Sholomon", "dlcm", ("outer",)),
    ("multi-segment", "MultiSegment", "dlcm", ("outer",)),
    ("kernel-growth", "KernelGrowth", "dlcm", ("outer",)),
    ("default", "GuidedGrowth", "dlcm", ("outer",)),
]
EVERY_SOLVER = {
    "default": "GuidedGrowth",
    "kernel-growth": "KernelGrowth",
    "sholomon": "Sholomon",
    "multi-segment": "MultiSegment",
    "gallagher": "Gallagher",
    "son": "Son",
    "yu": "Yu",
    "paikin-tal": "PaikinTal",
    "psqp": "Psqp",
}


def default_methods(table, painted):
    tasks = schedule.plan_table(table, painted, MethodChoice(), trims=[0.03], runs=1)
    found = [
        (task.method.label, type(task.method.solver).__name__, task.scorer.label, task.scorer.post)
        for task in tasks
    ]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("table", ["reconstruct", "corruptions"])
def test_by_default_the_methods_of_the_paper_run_with_their_scores(painted, table):
    """Another solver, measure or post-processing would be another row than the paper's."""
    assert default_methods(table, painted) == PAPER


def test_by_default_every_solver_runs_with_mgc_on_the_standard_sets(painted):
    assert default_methods("standard", painted) == [
        (label, solver, "mgc", ("likelihood", "symmetric"))
        for label, solver in EVERY_SOLVER.items()
    ]


@pytest.mark.parametrize("table", ["lsej", "eroded"])
def test_by_default_gallagher_gauges_public_benchmarks(tmp_path, table):
    Image.new("RGB", (500, 500)).save(tmp_path / "picture.png")
    assert default_methods(table, tmp_path) == [PAPER[0], PAPER[-1]]


def test_by_default_measures_are_ranked_as_they_are_published(painted):
    tasks = schedule.plan_table("rank", painted, MethodChoice(), trims=[0.03])
    assert list(dict.fromkeys((task.scorer.label, task.scorer.post) for task in tasks)) == [
        ("ssd", ()),
        ("mgc", ()),
        ("l1", ()),
        ("twin", ("softmax", "mutual", "symmetric")),
        ("dlcm", ()),
    ]
