"""From folders of pictures to described tiles in the catalogue."""
