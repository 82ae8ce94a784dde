"""Describe a new picture of a tile that a collection has already."""

from hashlib import sha256
from pathlib import Path

from azulejar.collection.intake.adding import Encode
from azulejar.collection.intake.encoding import encode_pictures, model_checksum
from azulejar.collection.storage.arrays import LAYOUTS
from azulejar.collection.storage.catalogue import Collection, stamp_of, stored_path
from azulejar.collection.storage.pictures import StoredPicture, keep_description
from azulejar.collection.storage.writer import check_model
from azulejar.errors import AzulejarError


def describe_picture(
    collection: Collection,
    path: Path,
    *,
    encode: Encode = encode_pictures,
    model: str | None = None,
) -> StoredPicture:
    """Describe a picture that lies where it stays, ready for ``exchange_picture``.

    Args:
        collection: The collection that has the tile.
        path: The new picture.
        encode: The function that describes a block of pictures.
        model: The checksum of the network that ``encode`` uses.

    Raises:
        AzulejarError: The picture is broken or shows another tile of the collection, or the
            collection was described by another network.
    """
    check_model(collection, model or model_checksum())
    content = path.read_bytes()
    checksum = sha256(content).hexdigest()
    with collection.database.reading() as db:
        same = db.execute("SELECT inventory FROM tiles WHERE sha256 = ?", (checksum,)).fetchone()
    if same is not None:
        raise AzulejarError(
            "picture-of-another-tile",
            "This is the picture of tile {tile}.",
            "Choose another one.",
            tile=same["inventory"],
        )
    encoded = encode((), [(path.name, content)])
    if encoded.broken:
        raise AzulejarError(
            "new-picture-broken", "The new picture could not be read.", "Choose another one."
        )
    keep_description(collection, checksum, {name: getattr(encoded, name) for name in LAYOUTS})
    home = collection.folder
    return StoredPicture(path=stored_path(path, home), stamp=stamp_of(path), sha256=checksum)
