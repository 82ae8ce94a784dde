"""Cells go to JSON and back."""

import json


def test_a_cell_survives_json(make_cell):
    cell = make_cell(solver="kernel-growth", neighbour=1 / 3)
    assert type(cell).from_dict(json.loads(json.dumps(cell.as_dict()))) == cell
