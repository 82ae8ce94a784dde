"""JSON that a person can read and compare: long lists with one entry a line."""

import json
from collections.abc import Collection, Mapping
from typing import Any


def json_text(data: Mapping[str, Any], one_per_line: Collection[str] = ("tiles",)) -> str:
    """Return ``data`` as indented JSON, in which each entry of the lists named is one line.

    >>> print(json_text({"rows": 1, "tiles": [{"file": "a"}, {"file": "b"}]}), end="")
    {
     "rows": 1,
     "tiles": [
      {"file": "a"},
      {"file": "b"}
     ]
    }
    """
    parts = []
    for key, value in data.items():
        if key in one_per_line and value:
            lines = ",\n  ".join(json.dumps(entry, ensure_ascii=False) for entry in value)
            parts.append(f" {json.dumps(key, ensure_ascii=False)}: [\n  {lines}\n ]")
        else:
            parts.append(json.dumps({key: value}, ensure_ascii=False, indent=1)[2:-2])
    return "{\n" + ",\n".join(parts) + "\n}\n"
