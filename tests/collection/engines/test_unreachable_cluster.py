"""Clusters that cannot be reached: each told in one sentence, and soon."""

import socket
import time

import pytest

from azulejar.collection.engines import cluster, get_engine
from azulejar.errors import AzulejarError


@pytest.mark.parametrize("address", ["museum", "museum:", ":6379", "museum:x", "ray://m:10001"])
def test_what_is_no_address_is_refused(address):
    with pytest.raises(AzulejarError, match=r"is not an address of a Ray cluster\. Give HOST:PORT"):
        get_engine("ray", address=address)


@pytest.mark.parametrize("host", ["127.0.0.1", "no-such-host.invalid"])
def test_no_program_listens(host):
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    started = time.monotonic()
    with pytest.raises(AzulejarError, match=rf"No Ray cluster can be reached at {host}:{port} \("):
        get_engine("ray", address=f"{host}:{port}")
    assert time.monotonic() - started < 15


def test_another_program_listens(monkeypatch):
    """A program that listens and never answers."""
    monkeypatch.setattr(cluster, "JOIN_SECONDS", 2.0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(AzulejarError, match="no answer that Ray would give"):
            cluster.check_cluster(address)


def test_the_environment_may_name_the_cluster(monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", "museum")
    with pytest.raises(AzulejarError, match="'museum' is not an address"):
        get_engine("ray")
