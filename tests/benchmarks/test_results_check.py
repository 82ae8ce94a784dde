"""Pages of results made with another version or other weights are listed."""

import pytest

import results_check
from azulejar.evaluation.markdown import default_mark, describe_run
from azulejar.measures.dlcm import Dlcm
from azulejar.version import __version__
from azulejar.weights import weights_mark
from tables import confidence_mark, origin


@pytest.mark.parametrize(
    ("told", "reason"),
    [
        (describe_run("azulejar rank tiles", machine=True), None),
        (describe_run("azulejar rank tiles", learned=False), None),
        (describe_run("azulejar rank tiles", model="paper"), None),
        (origin(judged=True), None),
        (
            origin(judged=True).replace(confidence_mark(), "00000000"),
            f"with weights 00000000 of the confidence, now {confidence_mark()}",
        ),
        ("No word on it.", "does not name its command"),
        ("`azulejar rank`, 2026-01-02, azulejar 0.1.0.", "made with 0.1.0 on 2026-01-02"),
        ("`azulejar rank`, 2026-01-02, azulejar 0.1.0, no weights.", "made with 0.1.0"),
        (f"`azulejar rank`, 2026-01-02, azulejar {__version__}.", "weights that it does not name"),
        (
            f"`azulejar rank`, 2026-01-02, azulejar {__version__}, weights 00000000.",
            f"with weights 00000000, now {default_mark()}",
        ),
        (
            describe_run("azulejar rank tiles").replace(f", scores {Dlcm.version}", ""),
            f"with weights {weights_mark()}, now {default_mark()}",
        ),
        (
            f"`measure.py`, 2026-01-02, azulejar {__version__}, weights paper 00000000.",
            f"with weights paper 00000000, now {weights_mark('paper')}",
        ),
        (
            f"`x`, 2026-01-02, azulejar {__version__}, weights former 00000000.",
            "with the model former, which is gone",
        ),
        (
            f"`x`, 2026-01-02, azulejar {__version__}, weights paper {weights_mark('paper')}.",
            None,
        ),
    ],
)
def test_a_page_is_stale_unless_version_and_weights_are_the_present_ones(tmp_path, told, reason):
    (tmp_path / "val").mkdir()
    (tmp_path / "val" / "page.md").write_text(f"# Page\n\n{told} Other words.\n")
    (tmp_path / "training.md").write_text("# A log of runs\n")
    found = [why for _, why in results_check.stale_pages(tmp_path)]
    assert len(found) == (reason is not None)
    assert reason is None or reason in found[0]


def test_one_stale_table_makes_a_page_stale(tmp_path):
    old = describe_run("azulejar rank").replace(__version__, "0.1.0")
    (tmp_path / "page.md").write_text(f"{describe_run('azulejar bench')}\n\n{old}\n")
    assert len(list(results_check.stale_pages(tmp_path))) == 1
