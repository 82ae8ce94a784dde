"""The nouns as arrays and files: tiles, edges, compatibility, joints, knowns, assembly, solution.

Uses ``system`` and nothing else of the package.
"""
