"""What people know beforehand: ``tiles.csv`` and ``knowns.json``, as constraints for solvers.

Uses ``core`` and ``system``.
"""
