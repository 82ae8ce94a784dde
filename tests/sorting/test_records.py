"""Marks and thickness: what they tell of two groups, and when they tell nothing."""

import numpy as np
import pytest

from azulejar.core.tiles import Record
from azulejar.sorting.links import Links
from azulejar.sorting.records import LOWEST, RecordEvidence

PANEL = np.repeat([0, 1], 40)
N = len(PANEL)


@pytest.fixture
def links():
    """Sure joints along each panel, as a chain of tiles."""
    a = np.array([i for i in range(N - 1) if PANEL[i] == PANEL[i + 1]])
    return Links(N, 4 * a + 1, 4 * a + 7, np.full(len(a), 0.95))


def made_up(errors=0.1, mark=True, thickness=True, seed=0):
    """A mark and a thickness of each panel, with errors."""
    random = np.random.default_rng(seed)
    wrong = random.random((2, N)) < errors
    records = []
    for tile, panel in enumerate(PANEL):
        sign = random.integers(2) if wrong[0, tile] else panel
        size = random.uniform(9, 16) if wrong[1, tile] else random.normal(11 + 3 * panel, 0.6)
        records.append(Record(mark=f"M{sign}" if mark else None,
                              thickness=size if thickness else None))  # fmt: skip
    return records


def factor(evidence, group, one=0, other=1):
    return float(evidence.factors(group, np.array([one]), np.array([other]))[0])


@pytest.mark.parametrize("known", [{"mark": False}, {"thickness": False}, {}])
def test_groups_that_differ_are_held_less_likely_one(links, known):
    evidence = RecordEvidence.of(links, made_up(**known))
    assert factor(evidence, PANEL) == pytest.approx(LOWEST)
    halves = np.where(PANEL == 0, np.arange(N) % 2, 2)  # 0 and 1 are of one panel
    assert factor(evidence, halves) == 1
    assert factor(evidence, halves, 0, 2) == pytest.approx(LOWEST)


def test_a_few_tiles_are_not_judged(links):
    group = np.where(np.arange(N) == 50, 1, np.where(PANEL == 0, 0, 2))
    assert factor(RecordEvidence.of(links, made_up()), group) == 1


def test_errors_are_learned(links):
    sure, unsure = (RecordEvidence.of(links, made_up(errors=e)) for e in (0.0, 0.3))
    assert sure.trust > 0.9 > unsure.trust > 0.3
    assert 0.3 < sure.within < 0.9
    assert 1 < sure.between < 3


@pytest.mark.parametrize("seed", range(5))
def test_what_follows_no_panel_tells_nothing(links, seed):
    random = np.random.default_rng(seed)
    records = [Record(mark=f"M{random.integers(3)}", thickness=random.normal(12, 1))
               for _ in range(N)]  # fmt: skip
    evidence = RecordEvidence.of(links, records)
    assert evidence is None or factor(evidence, PANEL) > 0.9


def test_without_marks_or_with_one_alone_there_is_no_evidence(links):
    assert RecordEvidence.of(links, [Record()] * N) is None
    assert RecordEvidence.of(links, [Record(mark="M", thickness=12.0)] * N) is None


def test_tiles_without_a_record_are_left_out(links):
    records = [r if i % 3 else Record() for i, r in enumerate(made_up())]
    assert factor(RecordEvidence.of(links, records), PANEL) == pytest.approx(LOWEST)
    same = Record(mark="M", thickness=12.0)
    only = [same if panel == 0 else Record() for panel in PANEL]
    assert RecordEvidence.of(links, only) is None
