"""constraints.txt and the two locks are the versions that these tests run with."""

import re
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
EXTRAS = ("large", "cluster", "train", "test", "docs")
LOCKS = {"requirements.lock": ("large",), "requirements-all.lock": EXTRAS}
ELSEWHERE = {"colorama"}  # needed on Windows alone
OF_TORCH = ("cuda-", "nvidia-", "triton")  # come with its builds for GPUs, which pin them
HOW = "run `make lock` (see the Makefile) with the versions that are installed"

tried = pytest.mark.skipif(sys.version_info >= (3, 15), reason="no versions are pinned for it")


def _pinned(name):
    """The requirements of a file, by canonical name; hashes are left out."""
    text = (ROOT / name).read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line.partition(" --hash")[0] for line in text.splitlines() if line.strip()]
    found = [Requirement(line) for line in lines if not line.startswith("#")]
    return {canonicalize_name(each.name): each for each in found}


def _needed(extras):
    """The names of all distributions that azulejar needs here, with some of its extras."""
    found, waiting = set(), [("azulejar", "")] + [("azulejar", extra) for extra in extras]
    seen = set()
    while waiting:
        name, extra = waiting.pop()
        if (name, extra) in seen:
            continue
        seen.add((name, extra))
        try:
            requires = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        found.add(name)
        for each in map(Requirement, requires):
            if each.marker is None or each.marker.evaluate({"extra": extra}):
                key = canonicalize_name(each.name)
                waiting += [(key, ""), *((key, more) for more in each.extras)]
    return found - {"azulejar"}


@tried
def test_every_dependency_is_pinned_to_what_is_installed():
    pinned = _pinned("constraints.txt")
    wrong = [
        f"{name} {version}"
        for name in sorted(_needed(EXTRAS))
        if not name.startswith(OF_TORCH)
        and (version := distribution(name).version)
        and (name not in pinned or not pinned[name].specifier.contains(version, prereleases=True))
    ]
    assert wrong == [], HOW


def test_pins_are_exact_and_name_no_index():
    for file in ("constraints.txt", *LOCKS):
        assert "://" not in (ROOT / file).read_text(encoding="utf-8")
        for each in _pinned(file).values():
            assert re.fullmatch(r"==[0-9][0-9.]*", str(each.specifier)), each


@tried
@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_holds_all_that_is_needed(lock):
    locked, pinned = _pinned(lock), _pinned("constraints.txt")
    here = {name for name, each in locked.items() if each.marker.evaluate()}
    assert {name for name in _needed(LOCKS[lock]) if not name.startswith(OF_TORCH)} <= here, HOW
    assert set(locked) >= ELSEWHERE, HOW
    for name, each in locked.items():
        if not name.startswith(OF_TORCH):
            assert each.specifier == pinned[name].specifier, HOW


@pytest.mark.parametrize("lock", LOCKS)
def test_every_locked_file_has_a_hash(lock):
    text = (ROOT / lock).read_text(encoding="utf-8")
    for block in re.split(r"\n(?=[a-zA-Z])", text)[1:]:
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", block), block.splitlines()[0]
    # For other systems than this one too: compiled packages have many files.
    for name in ("numpy", "numba", "onnxruntime", "scipy"):
        block = re.search(rf"^{name}==.*?(?=^\w|\Z)", text, re.MULTILINE | re.DOTALL)[0]
        assert block.count("--hash") >= 12, name


def test_make_installs_with_these_versions():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    installs = re.findall(r"pip install .*-e .*", makefile)
    assert len(installs) == 3
    assert all("-c constraints.txt" in line for line in installs)
