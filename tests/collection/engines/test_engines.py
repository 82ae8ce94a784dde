"""Engines by name, and what is refused before any work."""

import subprocess
import sys

import pytest

from azulejar.collection.engines import get_engine
from azulejar.errors import AzulejarError


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("dask",), r"There is no engine 'dask'\. Choose from local, ray\."),
        (("local", 0), "0 workers can do nothing"),
        (("ray", -1), "-1 workers can do nothing"),
        (("local", 1, "10.0.0.1:6379"), "The engine local has no address"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments, sentence):
    name, workers, address = (*arguments, None, None)[:3]
    with pytest.raises(AzulejarError, match=sentence):
        get_engine(name, workers=workers, address=address)


def test_as_many_workers_as_threads_are_allowed(monkeypatch):
    monkeypatch.setenv("AZULEJAR_THREADS", "5")
    with get_engine() as engine:
        assert (engine.name, engine.workers) == ("local", 5)


def test_without_ray_the_sentence_says_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)  # as if it were not installed
    with pytest.raises(AzulejarError, match=r"not installed.*pip install 'azulejar\[cluster\]'"):
        get_engine("ray")


def test_ray_is_left_alone_unless_it_is_chosen():
    script = (
        "import sys; from azulejar.collection.engines import get_engine; get_engine().close(); "
        "sys.exit('ray' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", script]).returncode == 0
