"""How far to trust an assembly: confidence, islands, candidates, exchanges, audit.

Uses ``solvers``, ``measures`` and what stands below them.
"""
