"""The routes of the server, one file a part of the page."""
