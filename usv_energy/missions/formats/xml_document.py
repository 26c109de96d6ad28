"""XML of people's files, without entities of their own: a few lines of those could grow to fill the memory."""

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree
from xml.parsers import expat

from ...files.errors import InputError
from .json_document import shown

Element = ElementTree.Element


def parsed_xml(content: bytes, path: Path) -> Element:
    """
    Return the root of an XML document, its elements' names without their namespaces.

    :param content: In whatever encoding it says.
    :param path: Of the file that holds it, for errors.
    :raises InputError: If it is no XML, or declares entities.
    """
    try:
        check = expat.ParserCreate()
        check.EntityDeclHandler = _refuse
        check.Parse(content, True)
        root = ElementTree.fromstring(content)
    except InputError as error:
        raise InputError(f'{path}: {error}') from None
    except (expat.ExpatError, ElementTree.ParseError) as error:
        raise InputError(f'{path}: is wrong XML: {error}') from None
    except (ValueError, LookupError) as error:  # an encoding that there is not
        raise InputError(f'{path}: is wrong XML: {error}') from None
    for element in root.iter():
        element.tag = str(element.tag).rpartition('}')[2]
    return root


def _refuse(name: str, *_: object) -> None:
    raise InputError(f'declares the entity {name[:40]!r}; a map needs none, and none is allowed')


def text_of(element: Element, child: str) -> str:
    """Return the text of a child, empty if there is none."""
    return (element.findtext(child) or '').strip()


def number_of(text: str | None, where: str) -> float:
    """Return a text as a finite number; InputError, which begins with `where`, if it is none."""
    try:
        value = float(text or '')
        if value - value == 0.0:
            return value
    except ValueError:
        pass
    raise InputError(f'{where} is {shown(text)}; must be a finite number')


def children(element: Element, *tags: str) -> Iterator[Element]:
    """Give an element's children of some names."""
    return (child for child in element if child.tag in tags)
