"""Photographs of loose tiles: find each tile, straighten it, judge it."""
