"""The calls, one file a part of the page."""
