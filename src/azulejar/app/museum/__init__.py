"""A museum in the browser: its collection, tables, moves and report."""
