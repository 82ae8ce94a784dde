"""A collection: all tiles of a museum, described once, searched, grouped and put together."""
