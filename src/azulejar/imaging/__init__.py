"""Pictures in and out: folders of tiles, photographs of tables and walls, rendering.

Uses ``knowledge``, ``core`` and ``system``.
"""
