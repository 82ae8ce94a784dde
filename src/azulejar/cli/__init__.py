"""The commands: they read options, call the library and print. They compute nothing.

Nothing imports this folder.
"""
