"""What a collection keeps on disk: catalogue, arrays, and who may write them."""
