"""``azulejar join``: what it says; what it does is tested with the fragments."""


def test_a_folder_without_fragments_is_refused_in_a_sentence(refused):
    said = refused("join", "tiles")
    assert "tiles has no fragments of broken tiles. Photograph them beside a whole tile" in said


def test_too_many_broken_tiles_are_refused(refused):
    assert "24 tiles cannot be broken. Give a number from 0 to 23" in refused(
        "practice", "--broken", "24"
    )
