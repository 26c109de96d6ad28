"""The texts of the pictures that commands draw: none lies over another, and none is cut off."""

import pytest

from usv_energy.cli.main import main

NEEDS = ('matplotlib', 'xarray')
SWEEP = 'scenario: "5"\ngrid:\n  boat.damping.linear.d11: [12, 20]\n  wind.direction_deg: [0, 90, 180, 270]\n'
DRAWN = ('scenario: "5"\nmonte_carlo:\n  seed: 1\n  samples: 30\n  parameters:\n'
         '    boat.damping.linear.d11: {distribution: normal, mean: 16.0, std: 2.0, min: 10.0}\n'
         '    boat.windage.yaw_arm: {distribution: uniform, min: 0.0, max: 0.3}\n')
LANES = ('mission', 'make', 'lawnmower', '--size', '300', '160', '--spacing', '10', '--at', '45', '9', '--speed', '1')
MAP = '--boat', 'lutra_prop', '--courses', '8', '--speeds', '0.4:1.2:3'
RIVER = '--hotel', '5', '--from', '220', '95', '--current', 'river', '--points', '13'


@pytest.fixture
def texts(monkeypatch):
    """Return the texts of the last picture that was written: words, and their boxes and the picture's, px."""
    from matplotlib.figure import Figure
    from matplotlib.text import Text
    drawn = {}
    draw, save = Text.draw, Figure.savefig

    def noted(text, renderer):
        draw(text, renderer)
        if text.get_visible() and text.get_text().strip():
            drawn[id(text)] = text.get_text(), text.get_window_extent(), text.get_figure(root=True).bbox

    monkeypatch.setattr(Text, 'draw', noted)
    monkeypatch.setattr(Figure, 'savefig', lambda *given, **named: (drawn.clear(), save(*given, **named)))
    return drawn


def over_each_other(boxes):
    """Return the pairs of texts, given as words and boxes, of which one covers a tenth of the other or more."""
    found = []
    for number, (words, a) in enumerate(boxes):
        for other, b in boxes[number + 1:]:
            wide, high = min(a.x1, b.x1) - max(a.x0, b.x0), min(a.y1, b.y1) - max(a.y0, b.y0)
            if wide > 0.0 and high > 0.0 and wide * high > 0.1 * min(a.width * a.height, b.width * b.height):
                found.append((words, other))
    return found


@pytest.mark.parametrize('arguments', [
    ('mission', 'many.plan', '--boat', 'blueboat_watts_only', '--current', '0.2,0', '--current-std', '0.05'),
    ('range', '--boat', 'blueboat_watts_only', '--wind', '6 m/s from NE', '--speed', '1'),
    ('map', 'energy', *MAP, '--current', '0.2,0', '--wind', '3 m/s from N'), ('map', 'energy', *MAP),
    ('map', 'best', *MAP), ('map', 'reach', *RIVER, '--battery', '1Wh'),
    ('map', 'polar', '--boat', 'lutra_sail', '--wind-speed', '3,6', '--angles', '0:330:12'),
    ('sweep', 'grid.yaml', '--backend', 'numpy', '--out', 'grid.nc'),
    ('sweep', 'drawn.yaml', '--backend', 'numpy', '--out', 'drawn.nc'),
    ('boat', 'check', 'lutra_prop'), ('team', 'box')], ids=lambda words: '_'.join(words[:2]))
def test_no_text_lies_over_another_or_is_cut_off(arguments, texts, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / 'grid.yaml').write_text(SWEEP)
    (tmp_path / 'drawn.yaml').write_text(DRAWN)
    if arguments[0] == 'mission':
        assert main([*LANES, '--out', 'many.plan']) == 0
    assert main([*arguments, '--out', 'check' if arguments[0] == 'boat' else 'a.png']) == 0
    boxes = list(texts.values())
    assert len(boxes) > 8 and over_each_other([box[:2] for box in boxes]) == []
    cut = [words for words, box, page in boxes
           if box.x0 < page.x0 - 1.0 or box.x1 > page.x1 + 1.0 or box.y0 < page.y0 - 1.0 or box.y1 > page.y1 + 1.0]
    assert cut == []
