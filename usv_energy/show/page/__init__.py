"""HTML pages: their templates, and pictures in them."""
