"""The bench in the browser: a local web page on the same library calls as the command line."""
