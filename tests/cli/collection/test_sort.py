import json

SORT = ("collection", "sort", "museum", "--workers", "1")


def groups(museum):
    """The panel of each tile, by name."""
    data = json.loads((museum / "groups" / "groups.json").read_text(encoding="utf-8"))
    names = [panel["name"] for panel in data["panels"]]
    return {
        tile["tile"]: names[tile["panel"]] if tile["panel"] >= 0 else None for tile in data["tiles"]
    }


def test_a_panel_is_found_and_keeps_its_name(museum, azulejar):
    path = museum / "groups" / "groups.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('"name": "1"', '"name": "17"'), encoding="utf-8")
    shown = azulejar(*SORT)
    found = groups(museum)
    assert sum(name == "17" for name in found.values()) >= 17
    assert "panel 17: " in shown and "groups.html" in shown
    assert (museum / "groups" / "groups.html").is_file()


def test_damaged_groups_are_no_hindrance(museum, azulejar):
    (museum / "groups" / "groups.json").write_text("{")
    azulejar(*SORT)
    assert sum(name == "1" for name in groups(museum).values()) >= 17


def test_an_unknown_engine_changes_nothing(museum, refused):
    assert "no engine" in refused("collection", "sort", "museum", "--engine", "abacus")
