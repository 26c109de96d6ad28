"""What HTML pages share: their template, and pictures inside them."""
