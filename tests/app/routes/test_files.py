"""Pictures and exports over HTTP."""

import pytest


@pytest.mark.parametrize("name", ["..%2Fproject.db", "%2e%2e%2fproject.db", "a%00b", ".hidden"])
def test_no_path_leads_out_of_the_exports(client, project, name):
    assert client.get(f"/api/projects/{project}/exports/{name}").status_code in (404, 422)


def test_the_pages_of_the_atlas_can_be_kept_for_ever(client, project):
    base = f"/api/projects/{project}/atlas"
    atlas = client.get(base).json()
    assert len(atlas["tiles"]) == 6
    page = client.get(f"{base}/{atlas['stamp']}/{atlas['levels'][0]}/0")
    assert page.headers["content-type"] == "image/jpeg"
    assert "immutable" in page.headers["cache-control"]


def test_the_picture_of_a_tile_is_sent_once(client, project):
    path = f"/api/projects/{project}/tiles/1/picture"
    first = client.get(path, params={"size": 16})
    assert first.headers["content-type"] == "image/jpeg"
    again = client.get(path, params={"size": 16}, headers={"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert client.get(path, params={"size": 3}).status_code == 422
