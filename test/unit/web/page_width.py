"""Whether a page fits the widths of screens."""

WIDTHS = 390, 1400, 2560    # px


def fits(page):
    """Assert that nothing of a page lies beyond the screen at any width; what scrolls in itself may be wider."""
    for width in WIDTHS:
        page.set_viewport_size({'width': width, 'height': 900})
        page.wait_for_function(f'innerWidth === {width}')
        assert page.evaluate('document.documentElement.scrollWidth') <= width
