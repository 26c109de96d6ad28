"""Write SDF with the same format everywhere: numbers in their shortest form, an indentation of two spaces."""

import math
import xml.etree.ElementTree as ElementTree
from xml.etree.ElementTree import Element

Colour = tuple[float, float, float, float]  # red, green, blue, opacity, 0 to 1
DIGITS = 10  # Significant digits of a number: more than in any input, fewer than the round-off of a sum needs.


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

    :param value: Its content, as for `text_of`; None: no content.
    """
    child = ElementTree.SubElement(parent, tag, {key: text_of(one) for key, one in attributes.items()})
    if value is not None:
        child.text = text_of(value)
    return child


def add_all(parent: Element, values: dict[str, object]) -> None:
    """Add a child for each key of a mapping."""
    for tag, value in values.items():
        add(parent, tag, value)


def add_system(parent: Element, file_name: str, system_name: str) -> Element:
    """Return a new plugin of a world or a model: one of Gazebo's systems."""
    return add(parent, 'plugin', filename=f'gz-sim-{file_name}-system', name=f'gz::sim::systems::{system_name}')


def static_model(world: Element, name: str, pose: tuple[float, ...]) -> Element:
    """
    Return the only link of a new model that does not move.

    :param pose: x, y, z, m, and roll, pitch, yaw, rad.
    """
    model = add(world, 'model', name=name)
    add_all(model, {'static': True, 'pose': pose})
    return add(model, 'link', name='link')


def add_shape(link: Element, kind: str, name: str, shape: str, place: tuple[float, ...] = (0.0, 0.0, 0.0),
              turn: tuple[float, ...] = (0.0, 0.0, 0.0), **measures: object) -> Element:
    """
    Return a new shape of a link.

    :param kind: `visual` or `collision`.
    :param shape: `box`, `sphere`, `cylinder` or `plane`.
    :param place: x, y, z on the link, m.
    :param turn: Roll, pitch, yaw, rad.
    :param measures: Its size by SDF's names for the shape, m.
    """
    whole = add(link, kind, name=name)
    add(whole, 'pose', (*place, *turn))
    add_all(add(add(whole, 'geometry'), shape), measures)
    return whole


def paint(visual: Element, colour: Colour) -> None:
    """Set the colour of a visual."""
    add_all(add(visual, 'material'), {'ambient': colour, 'diffuse': colour})


def note(parent: Element, text: str) -> None:
    """Add a comment."""
    parent.append(ElementTree.Comment(f' {_comment_text(text)} '))


def document(root: Element, heading: str) -> str:
    """
    Return the whole text of an XML file.

    :param heading: Comment at the top: the command that wrote the file, and its inputs. Line breaks are kept.
    """
    ElementTree.indent(root)
    body = ElementTree.tostring(root, encoding='unicode')
    lines = '\n'.join(f'  {line}' for line in _comment_text(heading).splitlines())
    return f'<?xml version="1.0" ?>\n<!--\n{lines}\n-->\n{body}\n'


def _comment_text(text: str) -> str:
    """Return a text for a comment, in which XML forbids two hyphens."""
    while '--' in text:
        text = text.replace('--', '- -')
    return text + ' ' if text.endswith('-') else text
