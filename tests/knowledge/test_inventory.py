"""tiles.csv as museums write it, and as they should not."""

import pytest

from azulejar.core.knowns import Lock
from azulejar.core.tiles import Record
from azulejar.errors import AzulejarError
from azulejar.knowledge.inventory import (
    count_rows_from_bottom,
    locks_of,
    outer_of,
    panels_of,
    read_inventory,
)

FILES = ("a.png", "b.png", "ç.png")


@pytest.fixture
def table(tmp_path):
    def write(text, encoding="utf-8"):
        path = tmp_path / "tiles.csv"
        path.write_bytes(text.encode(encoding))
        return path

    return write


def test_a_full_table(table):
    path = table(
        "file,inventory,crate,code,turn,row,col,panel,note\n"
        "b.png,MNAz 7,K3,IV b,90,2,5,Great hall,chipped\n"
        "a.png,,,,,,,,\n"
    )
    records, notes = read_inventory(path, FILES)
    full = Record("MNAz 7", "K3", "IV b", 1, 1, 4, "Great hall", "chipped", 2)
    assert records == (Record(line=3), full, Record())
    assert notes == []
    assert locks_of(records) == (Lock(1, 1, 4, 1, "row 2 of tiles.csv"),)
    assert panels_of(records) == {"Great hall": (1,)}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252"])
@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_what_spreadsheets_write(table, encoding, separator):
    text = "Note,File,Row\r\ncanto sujo,ç,1\r\n,,\r\n".replace(",", separator)
    records, _ = read_inventory(table(text, encoding), FILES)
    assert records[2] == Record(note="canto sujo", row=0, line=2)


def test_an_inventory_as_a_portuguese_museum_has_it(table):
    path = table(
        "N.º de inventário;Caixa;Tardoz;Espessura;Parede;Nível;Secção;Rotação;Observações;Época\n"
        "a;K3;M;12,5;A;1;2;90°;lascado;séc. XVIII\n",
        "utf-8-sig",
    )
    records, notes = read_inventory(path, FILES)
    assert records[0] == Record(
        "a", "K3", note="lascado", turn=1, line=2,
        mark="M", thickness=12.5, wall="A", level="1", section="2",
    )  # fmt: skip
    assert notes == ["tiles.csv has headings that are not understood: Época."]


@pytest.mark.parametrize("cell", ["12.5", "12,5 mm", "1,25 cm"])
def test_thickness_is_in_millimetres(table, cell):
    records, _ = read_inventory(table(f"file;thickness\na;{cell}\n"), FILES)
    assert records[0].thickness == 12.5


def test_the_heading_may_say_centimetres(table):
    records, _ = read_inventory(table("file;espessura (cm)\na;1,2\n"), FILES)
    assert records[0].thickness == 12


@pytest.mark.parametrize(
    "text",
    ["file,outer\na,left top\n", "Ficheiro;Lado exterior\na;Cima, ESQUERDA\n"],
)
def test_outer_sides(table, text):
    records, notes = read_inventory(table(text), FILES)
    assert (records[0].outer, notes) == ("top left", [])
    assert outer_of(records) == (0, 3)


def test_an_unknown_side(table):
    with pytest.raises(AzulejarError, match="row 3: has outer 'north': it names sides, of top, "):
        read_inventory(table("file,outer\na,top\nb,north\n"), FILES)


def test_an_image_server(table):
    text = "file,iiif\na,https://museum.example/iiif/3/A%2F17/info.json\n"
    records, _ = read_inventory(table(text), FILES)
    assert records[0].iiif == "https://museum.example/iiif/3/A%2F17"


@pytest.mark.parametrize("folder", ["/home/ana/fotos/", "C:\\\\fotos\\\\", "fotos/"])
def test_an_export_of_tropy(table, folder):
    path = table(
        '"http://purl.org/dc/elements/1.1/title","http://purl.org/dc/elements/1.1/identifier",'
        '"https://tropy.org/v1/tropy#box",https://tropy.org/v1/tropy#path,'
        "https://tropy.org/v1/tropy#note\n"
        f'Canto,MNAz 7,K3,"{folder}b.png",lascado\n'
    )
    records, notes = read_inventory(path, FILES)
    assert records[1] == Record("MNAz 7", "K3", note="lascado", line=2)
    assert notes == [
        "tiles.csv has headings that are not understood: http://purl.org/dc/elements/1.1/title."
    ]


def test_rows_from_the_bottom(table):
    records, _ = read_inventory(table("file,row\na,1\nb,3\n"), FILES)
    turned = count_rows_from_bottom(records)
    assert [lock.row for lock in locks_of(turned, 5)] == [4, 2]
    with pytest.raises(AzulejarError, match=r"counts rows from the bottom.*not known"):
        locks_of(turned)
    with pytest.raises(AzulejarError, match="row 3: says row 3 from the bottom, of 2 rows"):
        locks_of(turned, 2)


def test_columns_of_ones_own_and_quoted_separators(table):
    records, _ = read_inventory(table('file,colour,note\na,blue,"one, two"\n'), FILES)
    assert records[0].note == "one, two"


def test_tiles_that_are_elsewhere_are_noted(table):
    _, notes = read_inventory(table("file\na.png\nx.png\ny.png\n"), FILES)
    assert notes == ["tiles.csv speaks of 2 tiles that are not here: x.png, y.png."]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "has no column named file or inventory"),
        ("name,row\na,1\n", "has no column named file or inventory"),
        ("file,espessura\na,fino\n", "row 2: has thickness 'fino': it is in millimetres"),
        ("file,thickness\na,0\n", "row 2: has thickness '0'"),
        ("file,thickness (cm)\na,21\n", "row 2: has thickness '21 cm'"),
        ("file,iiif\na,www.museum.example/a\n", "row 2: has iiif 'www.museum.example/a'"),
        ("file,row,row\na,1,1\n", "two columns named row"),
        ("file,row\na,1\nb,0\n", "row 3: has row '0'"),
        ("file,col\na,-2\n", "row 2: has col '-2'"),
        ("file,col\na,2.5\n", "row 2: has col '2.5'"),
        ("file,col\na,99999999999999999999\n", "row 2: has col"),
        ("file,row\na,10001\n", "row 2: has row '10001': rows and cols count from 1 to 10000"),
        ("file,row\na,00000000010001\n", "row 2: has row '00000000010001'"),
        ("file,row\na," + "1" * 5000 + "\n", "row 2: has row '11111111111111111111…'"),
        ("file,turn\na,45\n", "row 2: has turn '45': it is 0, 90, 180 or 270"),
        ("file,note\na,x\nb\na.png,y\n", "rows 2 and 4: speak of the same tile a.png"),
        ("file,inventory\na,7\nb,7\n", "rows 2 and 3: give a.png and b.png the same number 7"),
        ("file,inventory\na,b\n", "row 2: gives a.png and b.png the same number b"),
        ("file,row\n,1\n", "row 2: names no file"),
        ("file,row\na,1,2\n", "row 2: has 3 cells for 2"),
        (
            'file,note\na,"open\n',
            "row 2: cannot be read. Correct it there: it has a stray quotation",
        ),
        ("file,note\na," + "x" * 140_000, "row 2: cannot be read.* a cell of 131072 characters"),
    ],
)
def test_the_rows_at_fault_are_named(table, text, message):
    with pytest.raises(AzulejarError, match=message):
        read_inventory(table(text), FILES)
