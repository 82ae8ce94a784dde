"""Fragments of broken tiles: found in photographs, and joined by outline and paint."""
