"""joints.csv: which side lies beside which."""

import numpy as np

from azulejar.outputs.joint_list import write_joint_list
from azulejar.outputs.spreadsheets import ListStyle

NUMBERS = ("A1", "A2", "A3")
JOINTS = np.array([[1, 7], [2, 8], [5, 10]], np.int32)
PROBABILITY = np.array([0.95, 1.0, 0.2])


def written(path, **options):
    settings = {"by": "Ana Silva", "day": "2026-11-17", **options}
    listed = write_joint_list(path, NUMBERS, JOINTS, PROBABILITY, **settings)
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    assert listed == len(lines) - 1
    return lines


def test_the_surest_first_without_the_doubtful(tmp_path):
    assert written(tmp_path / "joints.csv") == [
        "tile,side,other_tile,other_side,probability,by,date",
        "A1,bottom,A3,top,0.9999,Ana Silva,2026-11-17",
        "A1,right,A2,left,0.9500,Ana Silva,2026-11-17",
    ]


def test_what_people_have_accepted_is_listed_in_portuguese_too(tmp_path):
    style = ListStyle("pt")
    judged = np.array([False, False, True])
    lines = written(tmp_path / "juntas.csv", least=1.0, judged=judged, style=style)
    assert lines == [
        "azulejo;lado;outro azulejo;lado do outro;probabilidade;por;data",
        "A1;baixo;A3;cima;0,9999;Ana Silva;2026-11-17",
        "A2;direita;A3;baixo;0,2000;Ana Silva;2026-11-17",
    ]
