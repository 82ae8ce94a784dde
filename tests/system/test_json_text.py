"""JSON with one entry a line."""

import json

from azulejar.system.json_text import json_text


def test_only_the_named_lists_have_one_entry_a_line():
    data = {"é": {"a": [1, 2]}, "tiles": [{"file": "ç.png", "row": 0}, [1, 2]], "empty": []}
    text = json_text(data, ("tiles", "empty"))
    assert json.loads(text) == data
    assert text.splitlines()[-5:] == [
        '  {"file": "ç.png", "row": 0},',
        "  [1, 2]",
        " ],",
        ' "empty": []',
        "}",
    ]
