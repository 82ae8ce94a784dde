"""Pictures that come into a project, and the photographs they were cut from."""
