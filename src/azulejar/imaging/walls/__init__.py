"""A photograph of a wall: where its joints run, and the tiles between them."""
