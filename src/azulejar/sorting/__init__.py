"""Which tiles belong to one panel: in a crate (``crate``) and in a whole museum (``grouping``).

Uses ``solvers``, ``measures`` and what stands below them.
"""

from azulejar.sorting.crate import solve_crate, sort_tiles
from azulejar.sorting.groups import Groups
from azulejar.sorting.partition import STRAY

__all__ = ["STRAY", "Groups", "solve_crate", "sort_tiles"]
