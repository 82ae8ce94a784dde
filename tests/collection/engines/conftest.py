"""Tasks for all engines, in a module that their workers can import, and Ray apart from users'."""

import secrets
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

HERE = str(Path(__file__).parent)


@pytest.fixture(scope="session")
def chores():
    """The module of tasks. Spawned processes get our path; Ray's are told by PYTHONPATH."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(HERE)
        patch.setenv("PYTHONPATH", HERE)
        import chores

        yield chores
    sys.modules.pop("chores", None)


@pytest.fixture(scope="session")
def ray_apart(chores):
    """Ray with a token and a folder of its own, quick to notice that a node is gone."""
    folder = Path(tempfile.mkdtemp(prefix="ray-", dir="/tmp"))  # names of sockets must be short
    token = folder / "token"
    token.write_text(secrets.token_hex(32), encoding="ascii")
    token.chmod(0o600)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        patch.setenv("RAY_AUTH_MODE", "token")
        patch.setenv("RAY_AUTH_TOKEN_PATH", str(token))
        patch.setenv("RAY_TMPDIR", str(folder))
        patch.setenv("RAY_health_check_initial_delay_ms", "0")
        patch.setenv("RAY_health_check_period_ms", "500")
        patch.setenv("RAY_health_check_failure_threshold", "3")
        patch.delenv("RAY_ADDRESS", raising=False)
        yield folder
    shutil.rmtree(folder, ignore_errors=True)
