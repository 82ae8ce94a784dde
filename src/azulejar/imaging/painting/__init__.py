from azulejar.imaging.painting.panel import paint_panel
