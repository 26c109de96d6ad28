"""Parts of pages as HTML whose texts are escaped: headings, tables, lists, figures at the top."""

from collections.abc import Iterable, Sequence
from html import escape

from nicegui import ui

from usv_energy.files.limits import safe_text
from usv_energy.show.page.page_parts import Tile


def markup(text: object) -> str:
    """Return a text that a browser shows as it is."""
    return escape(safe_text(str(text)))


def heading(text: str, level: int = 2) -> ui.html:
    """Return a heading; `level`: 1 for that of the page."""
    return ui.html(markup(text), tag=f'h{level}', sanitize=False)


def table_html(caption: str, head: Sequence[str], rows: Iterable[Sequence[object]], words: Iterable[int] = (),
               keys: Sequence[str] = (), kinds: Sequence[str] = (), is_cards: bool = False) -> str:
    """
    Return a table that a screen reader can name.

    :param caption: What it is; for the reader alone.
    :param head: Of its columns.
    :param rows: Of texts; the first of a row names it.
    :param words: Numbers of the columns, from 0 on, that hold sentences and may wrap.
    :param keys: Of the rows' causes, whose colour is shown before the name; empty: none.
    :param kinds: Of the rows, one word each, which the look goes by; empty: none.
    :param is_cards: Whether on a narrow screen each row is a card, whose cells say their columns' heads.
    """
    wrapped = set(words)

    def cell(column: int, text: object, tag: str, key: str = '') -> str:
        colour = f'<span class="key" style="background: var(--c-{markup(key)})"></span>' if key else ''
        scope = f' scope="{"row" if tag == "th" and column == 0 else "col"}"' if tag == 'th' else ''
        of = f' data-head="{markup(head[column])}"' if is_cards and tag == 'td' and text else ''
        return f'<{tag}{scope}{of}{" class=words" if column in wrapped else ""}>{colour}{markup(text)}</{tag}>'

    first = ''.join(cell(column, text, 'td' if not text else 'th').replace('scope="row"', 'scope="col"')
                    for column, text in enumerate(head))
    body = []
    for number, row in enumerate(rows):
        key = keys[number] if number < len(keys) else ''
        kind = f' class="{markup(kinds[number])}"' if number < len(kinds) else ''
        body.append(f'<tr{kind}>' + ''.join(cell(column, text, 'td' if column else 'th', '' if column else key)
                                     for column, text in enumerate(row)) + '</tr>')
    look = 'scroll cards' if is_cards else 'scroll'
    return (f'<div class="{look}" tabindex="0" role="region" aria-label="{markup(caption)}"><table><caption>'
            f'{markup(caption)}</caption><thead><tr>{first}</tr></thead><tbody>{"".join(body)}</tbody></table></div>')


def list_html(texts: Iterable[str]) -> str:
    """Return a list of sentences."""
    return f'<ul>{"".join(f"<li>{markup(text)}</li>" for text in texts)}</ul>'


def tiles_html(tiles: Iterable[Tile]) -> str:
    """Return figures with what they mean, and arrows where they have a direction."""
    arrow = ('<svg class="arrow" viewBox="0 0 20 20" aria-hidden="true" style="transform: rotate({}deg)">'
             '<path d="M3 10H17M11 4l6 6-6 6"/></svg>')
    return '<dl class="tiles">' + ''.join(
        f'<div><dd>{markup(tile.value)}{"" if tile.rotation_deg is None else arrow.format(int(tile.rotation_deg))}</dd>'
        f'<dt>{markup(tile.meaning)}</dt></div>' for tile in tiles) + '</dl>'


def html(text: str) -> ui.html:
    """Return an element of HTML that was made here, of escaped texts."""
    return ui.html(text, sanitize=False)
