"""``python -m azulejar``."""

from azulejar.cli.main import run

run()
