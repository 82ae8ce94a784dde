"""Photographs of loose tiles on a table: find each tile, straighten it, assess it."""
