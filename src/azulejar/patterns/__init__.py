"""Pattern tiles: alike tiles in great number, and how their design repeats over a wall.

Which copy lay where cannot be known; which design a tile has, and how that continues, can.
Uses ``core``, ``imaging`` and ``system``.
"""
