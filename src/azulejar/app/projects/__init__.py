"""A project on disk: its tiles, board, versions, history, notes and links."""
