"""Jobs: long work on a project, each in a process of its own."""
