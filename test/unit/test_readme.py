"""The README is for a newcomer: one screen, the install first, a picture; and the graph is that of the nodes."""

import ast
import re

from doc_files import PAGES, commands, fences
from places import ROOT

README = PAGES['README.md'].read_text(encoding='utf-8')
SETUP = (ROOT / 'setup.py').read_text(encoding='utf-8')
NODES = set(re.findall(r"'(\w+)'", SETUP[SETUP.index('NODES = ('):SETUP.index(')', SETUP.index('NODES = ('))]))


def test_it_is_one_screen():
    assert len(README.splitlines()) <= 66
    assert len(README.split()) <= 600


def test_it_begins_with_what_this_is_and_the_install():
    assert re.search(r'!\[[^\]]+\]\(docs/images/\w+\.png\)', README)
    assert README.index('## Install') < 800
    assert re.findall(r'^## (.*)$', README, re.MULTILINE)[0] == 'Install'
    assert [words[:2] for words in commands(fences('README.md')[0])] == [
        ['pip', 'install'], ['usv-energy', 'serve'], ['pip', 'install'], ['./run', 'demo'],
        ['./run', 'test']]


def test_its_extras_are_those_of_the_package():
    extras = [words[2] for words in commands(fences('README.md')[0]) if words[:2] == ['pip', 'install']]
    declared = re.search(r'EXTRAS = \((.*?)\)', SETUP, re.DOTALL)[1]
    assert extras
    assert {extra for one in extras for extra in one[2:-1].split(',')} <= set(re.findall(r"'(\w+)'", declared))


def test_the_graph_is_that_of_the_nodes():
    """Every box is a node; what lies outside is round."""
    graph = (ROOT / 'docs/images/ros_graph.svg').read_text(encoding='utf-8')
    boxes = set(re.findall(r'rx="4"[^>]*/><text [^>]*>(\w+)</text>', graph))
    assert boxes <= NODES
    assert {'state_adapter', 'power_calculator', 'energy_accumulator', 'current_client', 'wind_client'} <= boxes


def test_every_node_has_a_section_or_a_row_in_the_documentation():
    rows = re.findall(r'^\| (\[`.*)$', PAGES['docs/gazebo.md'].read_text(encoding='utf-8'), re.MULTILINE)
    named = {word for row in rows for word in re.findall(r'`(\w+)`', row.split('|')[0])}
    sections = set(re.findall(r'^## (\w+)$', PAGES['docs/nodes.md'].read_text(encoding='utf-8'), re.MULTILINE))
    assert named | sections >= NODES
    assert not named & sections


def test_the_topics_of_the_nodes_page_are_names_in_the_code():
    """Every part of a topic's name between slashes stands in a text of the nodes, of usv_energy/ros, or of a boat."""
    code = [path for folder in ('nodes', 'ros', 'boats') for path in (ROOT / 'usv_energy' / folder).rglob('*.py')]
    known = {word for path in code for node in ast.walk(ast.parse(path.read_text(encoding='utf-8')))
             if isinstance(node, ast.Constant) and isinstance(node.value, str)
             for word in re.findall(r'\w+', node.value)}
    rows = re.findall(r'^\| (?:takes|gives|answers|asks)[^|]* \| ([^|]*) \|',
                      PAGES['docs/nodes.md'].read_text(encoding='utf-8'), re.MULTILINE)
    topics = {topic for row in rows for topic in re.findall(r'`([\w/*]+)`', row)}
    parts = {part.removesuffix('_global') for topic in topics for part in topic.split('/')} - {'', '*'}
    assert len(parts) > 40
    assert parts <= known
