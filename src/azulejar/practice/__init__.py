"""Made-up data with a known truth: painted panels, rendered photographs, wear, puzzles.

Uses ``imaging`` and what stands below it.
"""
