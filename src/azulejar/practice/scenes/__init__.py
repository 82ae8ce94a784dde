"""Rendered photographs of tiles on a table whose true corners are known."""

from azulejar.practice.scenes.scene import SCENES, Rendered, render_scene

__all__ = ["SCENES", "Rendered", "render_scene"]
