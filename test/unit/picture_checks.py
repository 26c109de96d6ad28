"""What every PNG is held to: no text lies over another, and none is cut off."""

import itertools

from matplotlib.axis import Axis
from matplotlib.figure import Figure
from matplotlib.text import Text


def kept_figures(monkeypatch):
    """Return a list that each figure is put into when it is written."""
    figures, save = [], Figure.savefig
    monkeypatch.setattr(Figure, 'savefig', lambda figure, *args, **words: (
        figures.append(figure), save(figure, *args, **words)))
    return figures


def check_texts(figure):
    """Assert that texts of a figure that was drawn lie beside each other, by 1 px or more, and within it."""
    axes = figure.findobj(Axis)
    labels = {id(label) for axis in axes for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())
              for label in (tick.label1, tick.label2)}
    drawn = {id(label) for axis in axes if axis.get_visible() for tick in axis._update_ticks()
             for label in (tick.label1, tick.label2)}
    texts = [text for text in figure.findobj(Text) if text.get_visible() and text.get_text().strip()
             and (id(text) in drawn or id(text) not in labels)]
    assert texts
    boxes = {text: text.get_window_extent().padded(-1.0) for text in texts}
    for text, box in boxes.items():
        assert all(figure.bbox.contains(*corner) for corner in box.corners()), f'{text.get_text()} is cut off'
    for (one, box), (other, beside) in itertools.combinations(boxes.items(), 2):
        assert not box.overlaps(beside), f'{one.get_text()} lies over {other.get_text()}'
