"""Results go to JSON and back."""

import json


def test_a_result_survives_json(make_result):
    result = make_result(solver="kernel-growth", neighbour=1 / 3)
    assert type(result).from_dict(json.loads(json.dumps(result.as_dict()))) == result
