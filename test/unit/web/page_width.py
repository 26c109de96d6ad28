"""Whether a page fits the widths of screens."""

WIDTHS = 390, 1400, 2560    # px


def fits(page):
    """Wait at each width until nothing of the page lies beyond the screen; what scrolls in itself may be wider.

    Charts follow a new width a moment after the page does.
    """
    for width in WIDTHS:
        page.set_viewport_size({'width': width, 'height': 900})
        page.wait_for_function(f'innerWidth === {width}')
        page.wait_for_function(f'document.documentElement.scrollWidth <= {width}')
