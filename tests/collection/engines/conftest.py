"""Tasks that workers can import, and terminals in which docs/cluster.md is followed."""

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from PIL import Image

from azulejar.practice.painting import paint_panel

HERE = str(Path(__file__).parent)
PAGE = Path(__file__).parents[3] / "docs" / "cluster.md"
SECONDS = 180
# Ray notices sooner that a node is gone, and takes little of a small machine.
SWIFT = {
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_health_check_initial_delay_ms": "0",
    "RAY_health_check_period_ms": "500",
    "RAY_health_check_failure_threshold": "3",
}
TOLD = "museum has 12 tiles in 2 crates."
LEAN = "--object-store-memory=80000000 --include-log-monitor=false --no-monitor"


@pytest.fixture(scope="session")
def chores():
    """The module of tasks. Spawned processes get our path; Ray's are told by PYTHONPATH."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(HERE)
        import chores

        yield chores
    sys.modules.pop("chores", None)


@pytest.fixture(scope="session")
def page():
    """The lines of the boxes of a part of docs/cluster.md, in order."""

    def commands(title):
        part = PAGE.read_text(encoding="utf-8").split(f"\n## {title}")[1].split("\n## ")[0]
        boxes = re.findall(r"```sh\n(.*?)```", part, re.S)
        return [line for box in boxes for line in box.splitlines()]

    return commands


@pytest.fixture(scope="session")
def until():
    """Wait for something to become true."""
    return _until


def _until(condition):
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.1)


def _free_port():
    """One that Ray's workers do not take (10002 to 19999)."""
    while True:
        with socket.create_server(("127.0.0.1", 0)) as server:
            port = server.getsockname()[1]
        if port > 20000:
            return port


def _heed_interrupts():
    """Programs started from a background job would otherwise ignore Ctrl-C."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


class Shell:
    """Terminals of one person, whose home is ``folder``."""

    def __init__(self, folder, ray):
        self.folder = folder
        self.port = str(_free_port())
        self.nodes = []
        self.name, self.mark = "AZULEJAR_TEST", f"{os.getpid()}-{time.time_ns()}"
        ours = {name: v for name, v in os.environ.items() if not name.startswith("RAY_")}
        self.environment = ours | SWIFT | {
            "HOME": str(folder), "RAY_TMPDIR": ray, "PYTHONPATH": HERE, self.name: self.mark,
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        }  # fmt: skip

    def run(self, line):
        """Run a line of the page; what it wrote."""
        line = line.replace("6379", self.port)
        if line.startswith("export "):
            name, _, value = line.removeprefix("export ").partition("=")
            self.environment[name] = value
            return ""
        if line.endswith("--block"):
            return self.start_node(f"exec {line} {LEAN}")
        result = subprocess.run(
            line, shell=True, cwd=self.folder, env=self.environment,
            capture_output=True, text=True, timeout=SECONDS,
        )  # fmt: skip
        assert result.returncode == 0, result.stdout + result.stderr
        assert result.stderr == "" or not line.startswith("azulejar"), result.stderr
        return result.stdout

    def start_node(self, line):
        log = self.folder / f"node_{len(self.nodes)}.log"
        with log.open("w", encoding="utf-8") as told:
            process = subprocess.Popen(
                line, shell=True, cwd=self.folder, env=self.environment,
                stdout=told, stderr=told, start_new_session=True, preexec_fn=_heed_interrupts,
            )  # fmt: skip
        self.nodes.append(process)
        _until(lambda: "runtime started" in log.read_text() or process.poll() is not None)
        assert process.poll() is None, log.read_text()
        return ""

    def kill_node(self, number):
        """With all that was started together with it, as if the plug were pulled."""
        os.killpg(self.nodes[number].pid, signal.SIGKILL)

    def processes(self):
        """All that was started from here and still runs, as the environment tells."""
        found = []
        for process in Path("/proc").iterdir():
            with suppress(OSError):
                if (
                    process.name.isdigit()
                    and self.mark.encode() in (process / "environ").read_bytes()
                ):
                    found.append(int(process.name))
        return found

    def close(self):
        """Ctrl-C in every terminal, after which nothing is left."""
        for process in reversed(self.nodes):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGINT)
            process.wait(SECONDS)
        _until(lambda: not self.processes())


@pytest.fixture(scope="session")
def open_shell(tmp_path_factory):
    """A context in which a new shell is open; all that was started in it is ended."""

    @contextmanager
    def opened():
        folder = tmp_path_factory.mktemp("home")
        # Names of sockets must be short.
        with tempfile.TemporaryDirectory("", "ray-", "/tmp", ignore_cleanup_errors=True) as ray:
            shell = Shell(folder, ray)
            try:
                yield shell
            finally:
                shell.close()

    return opened


class Museum:
    """Two crates of six tiles, an empty collection, and what the laptop's commands make of it."""

    def __init__(self, folder, run, create, add):
        self.folder = folder
        self._lay_crates()
        run(create)
        shutil.copytree(self.folder / "museum", self.folder / "empty")
        assert TOLD in run(add)
        self.described = (self.folder / "museum" / "descriptions.bin").read_bytes()

    def _lay_crates(self):
        pixels = paint_panel(2, 6)
        side = len(pixels) // 2
        for i in range(12):
            crate = self.folder / "crates" / f"{i // 6 + 1:02d}"
            crate.mkdir(parents=True, exist_ok=True)
            tile = pixels[side * (i // 6) :, side * (i % 6) :][:side, :side]
            Image.fromarray(tile).save(crate / f"{i}.png")

    def is_the_same_with(self, shell, add):
        """Whether another command for adding, in an empty collection, comes to the same."""
        shutil.copytree(self.folder / "crates", shell.folder / "crates", dirs_exist_ok=True)
        shutil.copytree(self.folder / "empty", shell.folder / "museum")
        assert TOLD in shell.run(add)
        return (shell.folder / "museum" / "descriptions.bin").read_bytes() == self.described


@pytest.fixture(scope="session")
def museum(tmp_path_factory, page, run_command, workers_as_threads):
    """The laptop's commands are run within this process: other tests show that theirs work."""
    folder = tmp_path_factory.mktemp("laptop")

    def run(line):
        ended = run_command(*line.split()[1:], cwd=folder)
        assert (ended.returncode, ended.stderr) == (0, "")
        return ended.stdout

    with workers_as_threads():
        return Museum(folder, run, *page("A laptop")[:2])
