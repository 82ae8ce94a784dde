"""From the scores of one panel to where its tiles lie, and what speaks against that.

Uses ``reference``, ``judging``, ``solvers``, ``patterns`` and what stands below them.
"""
