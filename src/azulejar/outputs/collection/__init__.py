"""Pages on a whole collection: what fits, which tiles make a panel, all panels, and a report."""
