"""Write XML the same way every time: numbers by their shortest form, two blanks a level."""

import math
import xml.etree.ElementTree as ElementTree
from xml.etree.ElementTree import Element

DIGITS = 10  # Significant digits of a number: finer than any input, coarser than the round-off of a sum.


def number(value: float) -> str:
    """
    Return a number's text: at most 10 significant digits, no trailing zeros, never a negative zero.

    :raises ValueError: If it is not finite, which no reader of SDF accepts.
    """
    if not math.isfinite(value):
        raise ValueError(f'{value} has no place in an SDF file')
    text = f'{value:.{DIGITS}g}'
    return '0' if float(text) == 0.0 else text


def text_of(value: object) -> str:
    """Return the text of a number, a sequence of numbers, a truth value or a text."""
    if isinstance(value, bool):
        return 'true' if value else 'false'
    if isinstance(value, (int, float)):
        return number(value)
    if isinstance(value, (tuple, list)):
        return ' '.join(number(one) for one in value)
    return str(value)


def add(parent: Element, tag: str, value: object = None, **attributes: object) -> Element:
    """
    Return a new last child of an element.

    :param value: Its content, as for `text_of`; none where None.
    """
    child = ElementTree.SubElement(parent, tag, {key: text_of(one) for key, one in attributes.items()})
    if value is not None:
        child.text = text_of(value)
    return child


def add_all(parent: Element, values: dict[str, object]) -> None:
    """Add a child for each key of a mapping."""
    for tag, value in values.items():
        add(parent, tag, value)


def note(parent: Element, text: str) -> None:
    """Add a comment for the reader of the file."""
    parent.append(ElementTree.Comment(f' {_harmless(text)} '))


def document(root: Element, heading: str) -> str:
    """
    Return an XML file's whole text.

    :param heading: Comment at the top: the command that wrote the file, and its inputs. Line breaks are kept.
    """
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding='unicode')
    lines = '\n'.join(f'  {line}' for line in _harmless(heading).splitlines())
    return f'<?xml version="1.0" ?>\n<!--\n{lines}\n-->\n{body}\n'


def _harmless(text: str) -> str:
    """Return a text that may stand in a comment, where two hyphens may not."""
    while '--' in text:
        text = text.replace('--', '- -')
    return text + ' ' if text.endswith('-') else text
