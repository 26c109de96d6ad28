"""What every result of the Python API is held to: one screen of text, labelled tables, HTML, pictures in given axes."""

from matplotlib.figure import Figure

import usv_energy
from usv_energy.api.results import LINES, WIDTH


def check_tables(result):
    """Hold text, tables of xarray and pandas and HTML to each other."""
    assert isinstance(result, usv_energy.Result)
    assert 0 < len(repr(result).splitlines()) <= LINES + 1 and max(map(len, repr(result).splitlines())) <= WIDTH
    data, frame = result.to_xarray(), result.to_dataframe()
    [length] = data.sizes.values()
    assert len(frame) == length > 0
    assert usv_energy.to_dataset(result).identical(data)
    assert all('units' in variable.attrs for name, variable in data.variables.items())
    assert set(frame.attrs['units']) >= set(frame.columns)
    page = result._repr_html_()
    assert page.count('<table>') == page.count('</table>') == 1 and '<script' not in page
    assert isinstance(result.figures(), dict) and result.figures()


def check_pictures(result):
    """Draw each picture into axes, which come back with something in them; colours are those of colour-blind people."""
    assert result.panels()
    for panel in result.panels():
        axes = Figure().subplots()
        assert result.plot(axes, panel) is axes
        assert axes.lines or axes.collections or axes.patches, panel
        for shown in (one for one in axes.collections if one.get_array() is not None):
            assert shown.get_cmap().name == 'viridis'
