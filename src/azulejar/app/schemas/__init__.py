"""Messages between the page, the server and its workers, as pydantic models."""
