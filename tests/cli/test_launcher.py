"""``azulejar launcher``: what the entry in the menu does when it is chosen."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import pytest

from azulejar.cli import launcher, serve
from azulejar.errors import AzulejarError


@pytest.fixture
def chosen(tmp_path):
    """A function that starts a command as a menu does, and the addresses that a browser got."""
    opened, browser, running = tmp_path / "opened", tmp_path / "browser", []
    browser.write_text(f'#!/bin/sh\necho "$1" >> "{opened}"\n')
    browser.chmod(0o755)
    environment = os.environ | {"BROWSER": f"{browser} %s", "DISPLAY": ":0", "HOME": str(tmp_path)}

    def choose(command):
        running.append(subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL))
        return running[-1]

    choose.opened = lambda: opened.read_text().split() if opened.exists() else []
    yield choose
    for process in running:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            process.wait(20)


def free_port():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def until(condition, seconds=60.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.05)


@pytest.mark.skipif(sys.platform != "linux", reason="an entry of Linux is chosen")
def test_the_entry_opens_the_page_and_opens_it_again(tmp_path, monkeypatch, capsys, chosen):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    port = free_port()
    launcher.command(tmp_path / "My panels", port=port)
    assert "azulejar.desktop" in capsys.readouterr().out.replace("\n", "")
    entry = (tmp_path / "data/applications/azulejar.desktop").read_text(encoding="utf-8")
    [line] = [each for each in entry.splitlines() if each.startswith("Exec=")]
    command = line.removeprefix("Exec=").strip('"').split('" "')
    chosen(command)
    address = f"http://127.0.0.1:{port}/"
    until(lambda: chosen.opened() == [address])
    assert httpx.get(f"{address}api/projects").json() == []
    assert chosen(command).wait(60) == 0
    assert chosen.opened() == [address, address]
    launcher.command(tmp_path / "My panels", port=port, remove=True)
    assert not (tmp_path / "data/applications/azulejar.desktop").exists()


def test_what_goes_wrong_is_shown_in_the_browser(tmp_path, monkeypatch):
    shown = []
    monkeypatch.setattr(launcher.webbrowser, "open", shown.append)
    problem = AzulejarError("odd", "The <folder> is odd.", "Choose another.")

    def fail(*_, **__):
        raise problem

    monkeypatch.setattr(serve, "command", fail)
    with pytest.raises(AzulejarError):
        launcher.command(tmp_path, port=free_port(), start=True)
    [page] = shown
    words = Path(page.removeprefix("file://")).read_text(encoding="utf-8")
    assert "The &lt;folder&gt; is odd. Choose another." in words
