"""The page in the browser: a local server that calls the library.

Only ``cli`` imports this folder, to start the server.
"""
