"""Whatever is sent, the server answers with a reply or a problem that has a remedy."""

import pytest
import server_cases

CASES = 160


@pytest.fixture(scope="module")
def attacker(tmp_path_factory):
    with server_cases.attacked(tmp_path_factory.mktemp("server") / "projects") as attacker:
        yield attacker


@pytest.mark.filterwarnings("ignore")  # of Pillow, for damaged pictures
@pytest.mark.parametrize("first", range(0, CASES, 40))
def test_no_request_ends_in_an_error_of_the_server(attacker, first):
    seeds = range(first, first + 40)
    told = [server_cases.server_case(seed, attacker) for seed in seeds]
    assert list(filter(None, told)) == []


def test_the_cases_are_not_all_refused(attacker):
    """Some of the zips and edits are good, and are taken."""
    whole = attacker.client.get(attacker.home).json()
    assert len(whole["tiles"]) >= server_cases.TILES
    assert whole["state"]["revision"] > 1
