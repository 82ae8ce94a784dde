"""A rank table as files; the rest is tested through the command."""

from dataclasses import replace

import pytest

from azulejar.evaluation.markdown import default_mark
from azulejar.evaluation.rank_report import write_ranks
from azulejar.evaluation.ranks import RankTable
from azulejar.weights import weights_mark


@pytest.mark.parametrize(
    ("measure", "told"),
    [
        ("ssd", "no weights"),
        ("twin", f"weights {default_mark()}"),
        ("red:minmax", f"weights paper {weights_mark('paper')}"),
    ],
)
def test_the_page_names_the_weights(table, tmp_path, measure, told):
    rankings = [replace(each, measure=measure) for each in table.of("ssd", 0.1, upright=True)]
    rankings += [replace(each, measure=measure) for each in table.of("ssd", 0.1, upright=False)]
    write_ranks(tmp_path / "out", RankTable(tuple(rankings)), command="rank", examples=0, seed=0)
    assert f", {told}, " in (tmp_path / "out" / "ranks.md").read_text(encoding="utf-8")
