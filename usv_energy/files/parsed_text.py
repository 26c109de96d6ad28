"""Parse texts of YAML, JSON and XML within the limits of `limits.py`; each fault is an InputError."""

import json
import pickle
import re
from collections.abc import Hashable
from functools import lru_cache
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.parsers import expat

import yaml

from usv_energy.files.errors import InputError
from usv_energy.files.limits import (
    DEPTH,
    DIGITS,
    DOCUMENT_BYTES,
    DOCUMENT_ELEMENTS,
    XML_ATTRIBUTES,
    XML_ELEMENTS,
    YAML_BYTES,
    YAML_NODES,
    check_bytes,
    check_depth,
    check_text,
)
from usv_energy.files.text_file import open_text

ENTRY_CHARACTERS = 64    # Of a text of YAML that count as an entry: aliases of a long one fill memory, too.
CACHED_TEXTS = 64   # Number of parsed YAML texts to cache, because each node of a graph reads the same few files.
# What may stand for a control character, half a character or a mark of direction in JSON.
SUSPECT = re.compile('[\x7f-\x9f\u2028-\u2069\ufffe\uffff]|\\\\[bf]|\\\\u(?:00[0189]|007|[dDfF]|20)')
Element = ElementTree.Element
# The loader in C reads thirty times as fast. It crashes on lists nested a thousand deep, which `_check_events` refuses
# before, from the events alone.
_BASE: Any = getattr(yaml, 'CSafeLoader', yaml.SafeLoader)


class _StrictLoader(_BASE):  # type: ignore[misc]
    """A loader that refuses a key given twice in one mapping, and whole numbers of too many digits, and bytes."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key_node, _ in node.value:
            key = self.construct_object(key_node, deep=True)
            if not isinstance(key, Hashable):
                continue    # The loader itself refuses it, with its place.
            if key in seen:
                raise yaml.constructor.ConstructorError(
                    None, None, f'the key {key!r} is given twice', key_node.start_mark)
            seen.add(key)
        return super().construct_mapping(node, deep)

    def construct_yaml_int(self, node: yaml.ScalarNode) -> int:
        value = int(super().construct_yaml_int(node)) if len(node.value) < 1000 else 10 ** DIGITS
        if abs(value) >= 10 ** DIGITS:
            raise yaml.constructor.ConstructorError(
                None, None, f'a whole number has more than {DIGITS} digits', node.start_mark)
        return value

    def construct_yaml_float(self, node: yaml.ScalarNode) -> float:
        try:
            return float(super().construct_yaml_float(node))
        except OverflowError:   # Of 1:1:1: ... 1.5, each part of which counts 60 times the next.
            raise yaml.constructor.ConstructorError(None, None, 'a number is too large', node.start_mark) from None

    def construct_yaml_binary(self, node: yaml.ScalarNode) -> bytes:
        raise yaml.constructor.ConstructorError(None, None, 'bytes (!!binary) stand where no value is', node.start_mark)


_StrictLoader.add_constructor('tag:yaml.org,2002:int', _StrictLoader.construct_yaml_int)
_StrictLoader.add_constructor('tag:yaml.org,2002:float', _StrictLoader.construct_yaml_float)
_StrictLoader.add_constructor('tag:yaml.org,2002:binary', _StrictLoader.construct_yaml_binary)


def read_yaml(path: Path) -> dict[str, Any]:
    """
    Return the mapping in a YAML file.

    :raises InputError: If the file cannot be read or is too large, is no YAML, or holds no mapping.
    """
    check_bytes(path, YAML_BYTES, 'a YAML file')
    with open_text(path) as file:
        return parsed_yaml(file.read(YAML_BYTES), path)


def parsed_yaml(text: str, path: Path) -> dict[str, Any]:
    """
    Return the mapping in a text of YAML.

    :param path: Path of the file, for errors.
    :raises InputError: If it is no YAML, holds no mapping, or is beyond the limits.
    """
    document = yaml_value(text, path)
    if not isinstance(document, dict):
        raise InputError(f'{path}: holds no mapping of keys to values')
    return document


def yaml_value(text: str, source: object) -> Any:
    """
    Return the value of a text of YAML.

    :param source: File or argument, for errors.
    :raises InputError: If it is no YAML, or is beyond the limits.
    """
    try:
        return pickle.loads(_parsed(text))
    except InputError as error:
        raise InputError(f'{source}: {error}') from None
    # For 2024-13-01, which is no date, and for texts with a tag that does not suit them.
    except (ValueError, OverflowError, RecursionError, TypeError, AttributeError, LookupError) as error:
        raise InputError(f'{source}: is wrong YAML: {_in_one_line(error)}') from None
    except yaml.YAMLError as error:
        mark = getattr(error, 'problem_mark', None)
        where = f' line {mark.line + 1}' if mark is not None else ''
        problem = getattr(error, 'problem', None) or getattr(error, 'reason', None) or error
        raise InputError(f'{source}:{where} is wrong YAML: {_in_one_line(problem)}') from None


def _in_one_line(error: object) -> str:
    return ' '.join(str(error).split())


@lru_cache(CACHED_TEXTS)
def _parsed(text: str) -> bytes:
    """Return the pickled content of a YAML text, so that each reader gets its own copy."""
    check_text(text, 'the text')
    _check_events(text)
    return pickle.dumps(yaml.load(text, Loader=_StrictLoader), pickle.HIGHEST_PROTOCOL)


def _check_events(text: str) -> None:
    """
    Check depth and size of a YAML text, each alias counted as what it stands for, and its texts.

    :raises InputError: If it is too deep or too large, or an alias stands within what it names.
    """
    sizes: dict[str, tuple[int, int]] = {}      # Nodes and depth of what an anchor names.
    above: list[list[Any]] = [['', 0, 0]]       # For each open list or mapping: its anchor, nodes and depth within.
    for event in yaml.parse(text, Loader=_BASE):
        line = f'line {event.start_mark.line + 1 if event.start_mark is not None else 0}'
        if isinstance(event, yaml.ScalarEvent):
            check_text(event.value, line)
            size, depth = 1 + len(event.value) // ENTRY_CHARACTERS, 0
            anchor = event.anchor
        elif isinstance(event, yaml.AliasEvent):
            if any(event.anchor == opened[0] for opened in above):
                raise InputError(f'{line}: *{event.anchor} stands within what it names')
            (size, depth), anchor = sizes.get(str(event.anchor), (1, 0)), None
        elif isinstance(event, yaml.CollectionStartEvent):
            above.append([event.anchor, 1, 0])
            if len(above) > DEPTH:
                raise InputError(f'{line} is wrong YAML: lists and mappings lie more than '
                                 f'{DEPTH} deep in one another')
            continue
        elif isinstance(event, yaml.CollectionEndEvent):
            anchor, size, depth = above.pop()
            depth += 1
        else:
            continue
        if anchor:
            sizes[anchor] = size, depth
        outer = above[-1]
        outer[1], outer[2] = outer[1] + size, max(outer[2], depth)
        if outer[1] > YAML_NODES or len(above) + depth > DEPTH + 1:
            raise InputError(f'{line}: with its aliases it has more than {YAML_NODES} '
                             f'entries, or is more than {DEPTH} deep')


def read_json(path: Path, kind: str = 'a JSON file') -> Any:
    """
    Return the value in a JSON file.

    :param kind: What it is, for the message about its size.
    :raises InputError: If it cannot be read, is too large, or is wrong JSON.
    """
    check_bytes(path, DOCUMENT_BYTES, kind)
    with open_text(path) as file:
        return parsed_json(file.read(DOCUMENT_BYTES).lstrip('\ufeff'), path)


def parsed_json(text: str, path: Path, before: int = 0) -> Any:
    """
    Return the value of a JSON text.

    :param path: Of the file that holds it, for errors.
    :param before: Lines of the file before the text.
    :raises InputError: If it is not JSON, gives a key twice, or is beyond the limits.
    """
    if text.count(',') + text.count('[') + text.count('{') > DOCUMENT_ELEMENTS:
        raise InputError(f'{path}: has more than {DOCUMENT_ELEMENTS} entries')
    try:
        value = json.loads(text, object_pairs_hook=_mapping_without_duplicates, parse_int=_whole_number)
        check_depth(value, path)
    except json.JSONDecodeError as error:
        raise InputError(f'{path}: line {before + error.lineno} is wrong JSON: {error.msg}') from None
    except InputError as error:
        raise InputError(str(error) if str(error).startswith(f'{path}:') else f'{path}: {error}') from None
    except (ValueError, RecursionError) as error:   # Lists in lists a thousand deep.
        raise InputError(f'{path}: is wrong JSON: {error}') from None
    if SUSPECT.search(text):
        _check_texts(value, f'{path}:')
    return value


def _check_texts(value: Any, source: str) -> None:
    """Check the texts of a JSON value, keys included, as `check_text`."""
    waiting = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, str):
            check_text(node, source)
        elif isinstance(node, dict):
            waiting += [*node, *node.values()]
        elif isinstance(node, list):
            waiting += node


def _whole_number(digits: str) -> int:
    if len(digits.lstrip('-')) > DIGITS:
        raise InputError(f'the whole number {digits[:20]}... has more than {DIGITS} digits')
    return int(digits)


def _mapping_without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = set()
        twice = next(key for key, _ in pairs if key in keys or keys.add(key))  # type: ignore[func-returns-value]
        raise InputError(f'the key {twice!r} is given twice')
    return values


def parsed_xml(content: bytes, path: Path) -> Element:
    """
    Return the root of an XML document, with namespaces removed from the names of elements.

    :param content: In the encoding that it declares.
    :param path: Of the file that holds it, for errors.
    :raises InputError: If it is not XML, declares entities, or is beyond the limits.
    """
    content = _in_utf_8(content)
    try:
        check = expat.ParserCreate()
        limits = _XmlLimits()
        check.EntityDeclHandler = _refuse_entity
        check.ExternalEntityRefHandler = _refuse_entity
        check.StartElementHandler, check.EndElementHandler = limits.begin, limits.end
        check.Parse(content, True)
        root = ElementTree.fromstring(content)
    except InputError as error:
        raise InputError(f'{path}: {error}') from None
    except (expat.ExpatError, ElementTree.ParseError) as error:
        raise InputError(f'{path}: is wrong XML: {error}') from None
    except (ValueError, LookupError) as error:  # An unknown encoding.
        raise InputError(f'{path}: is wrong XML: {error}') from None
    for element in root.iter():
        for text in (element.text, element.tail, *element.attrib.values()):
            if text:
                check_text(text, f'{path}:')
        element.tag = str(element.tag).rpartition('}')[2]
    return root


def _in_utf_8(content: bytes) -> bytes:
    """Return XML that says, or does not deny, that it is in UTF-8 and is not, as of Windows-1252 (Latin-1)."""
    said = re.search(rb'encoding\s*=\s*["\']([^"\']*)', content[:200])
    if content[:2] in (b'\xff\xfe', b'\xfe\xff') or (said is not None and said[1].lower() != b'utf-8'):
        return content
    try:
        content.decode()
    except UnicodeDecodeError:
        return content.decode('cp1252', 'replace').encode()
    return content


class _XmlLimits:
    """Counts the elements of an XML document and their attributes, and how deep they lie."""

    def __init__(self) -> None:
        self._number = self._depth = 0

    def begin(self, name: str, attributes: dict[str, str]) -> None:
        self._number += 1
        self._depth += 1
        if self._number > XML_ELEMENTS or self._depth > DEPTH:
            raise InputError(f'has more than {XML_ELEMENTS} elements, or elements more than {DEPTH} deep in one '
                             'another')
        if len(attributes) > XML_ATTRIBUTES:
            raise InputError(f'has an element with more than {XML_ATTRIBUTES} attributes')

    def end(self, name: str) -> None:
        self._depth -= 1


def _refuse_entity(name: str, *_: object) -> Any:
    raise InputError(f'declares the entity {name[:40]!r}; a map needs none, and none is allowed')
