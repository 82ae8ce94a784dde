"""system/natural_order.py: names as people sort them."""

from azulejar.system.natural_order import natural_order


def test_natural_order_of_names() -> None:
    names = ["a10", "a9", "A9", "a 2", "10", "9", "b", "a09", "inv. 12 b", "inv. 12 a", "é1", "e2"]
    assert sorted(names, key=natural_order) == [
        "9", "10", "A9", "a09", "a9", "a10", "a 2", "b", "e2", "é1", "inv. 12 a", "inv. 12 b",
    ]  # fmt: skip
