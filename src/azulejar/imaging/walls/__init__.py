"""Photographs of walls: find the joints between the tiles, and cut the tiles out."""
