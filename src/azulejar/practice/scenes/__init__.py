"""Rendered photographs of tiles on a table whose true corners are known."""

from azulejar.practice.scenes.rendering import SCENES, RenderedPhoto, render_scene

__all__ = ["SCENES", "RenderedPhoto", "render_scene"]
