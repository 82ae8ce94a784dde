"""``azulejar placement``: the list of tiles and places for a spreadsheet."""


def test_portuguese_with_rows_from_the_bottom(azulejar, refused, tmp_path, puzzles):
    truth = puzzles / "turned" / "truth.json"
    options = ("-o", "lugares.csv", "--headings", "pt", "--rows-from", "bottom")
    assert azulejar("placement", truth, *options) == "List: lugares.csv\n"
    head, first, *_ = (tmp_path / "lugares.csv").read_text(encoding="utf-8-sig").splitlines()
    assert head.startswith("número de inventário;ficheiro;painel;fiada a contar de baixo;coluna;")
    assert first.split(";")[2:5] == ["1", "4", "1"]
    assert "lugares.csv exists already" in refused("placement", truth, *options)
