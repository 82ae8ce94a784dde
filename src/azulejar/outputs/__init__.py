"""What people get: result folders, reports, plans, lists, IIIF.

Uses everything but ``evaluation`` and the front ends.
"""
