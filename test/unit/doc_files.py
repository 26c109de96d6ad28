"""The Markdown files of the repository: their fences, links, headings, and what they name."""

import re
import shlex
import textwrap
from pathlib import Path
from typing import NamedTuple

from places import ROOT

PAGES = {str(path.relative_to(ROOT)): path for path in (
    ROOT / 'README.md', ROOT / 'CONTRIBUTING.md', ROOT / 'examples' / 'README.md',
    *sorted((ROOT / 'docs').rglob('*.md')))}
RUNS = '<!-- runs -->'      # Before a fence of commands: the test runs them, not only parses them.
FILE = re.compile(r'<!-- file: (\S+) -->$')      # Before a fence of any text: the test writes it to that file.
FENCE = re.compile(r'^( *)```(\w*)\n(.*?)^\1```$', re.MULTILINE | re.DOTALL)


class Fence(NamedTuple):
    """A fenced block: its language, its text, whether its commands are run, the output below it, and its file."""

    language: str
    text: str
    runs: bool
    output: str | None
    line: int
    file: str | None = None


def fences(page):
    """Return the fences of a page in their order; a fence `text` right below another one is that one's output."""
    text = PAGES[page].read_text(encoding='utf-8')
    found = []
    for match in FENCE.finditer(text):
        before = text[:match.start()].rstrip()
        below = re.match(r'\s*```text\n(.*?)^```$', text[match.end():], re.MULTILINE | re.DOTALL)
        found.append(Fence(match[2], textwrap.dedent(match[3]), before.endswith(RUNS), below[1] if below else None,
                           text[:match.start()].count('\n') + 1, file_of(match[3], before)))
    return found


def file_of(text, before):
    """Return the name of the file that a fence is: said in a comment before it, or in its first line if it is YAML."""
    named = FILE.search(before) or re.match(r' *# (\S+\.yaml)\n', text)
    return named and named[1]


def without_fences(page):
    """Return a page's text with all fences blanked, their lines kept."""
    return FENCE.sub(lambda match: '\n' * match[0].count('\n'), PAGES[page].read_text(encoding='utf-8'))


def commands(fence):
    """Return the commands of a fence as lists of words: comments dropped, `\\` at a line's end joined, `&&` split."""
    lines = fence.text.replace('\\\n', ' ').splitlines()
    found = []
    for line in lines:
        for part in re.split(r'\s&&\s', line):
            words = shlex.split(part, comments=True)
            if words:
                found.append(words)
    return found


def anchors(page):
    """Return the anchors of a page's headings, as GitHub makes them."""
    found = set()
    for heading in re.findall(r'^#+ +(.*)$', without_fences(page), re.MULTILINE):
        plain = re.sub(r'[`*]|\[([^\]]*)\]\([^)]*\)', lambda match: match[1] or '', heading).strip().lower()
        anchor = re.sub(r'[^\w\- ]', '', plain).replace(' ', '-')
        number = sum(one == anchor or re.fullmatch(rf'{re.escape(anchor)}-\d+', one) is not None for one in found)
        found.add(f'{anchor}-{number}' if number else anchor)
    return found


def links(page):
    """Return the relative links of a page: target and anchor, either of them empty."""
    targets = re.findall(r'\]\(([^)\s]+)\)', without_fences(page))
    return [(*target.split('#', 1), '')[:2] for target in targets if not re.match(r'\w+:', target)]


def code_words(page):
    """Return what stands in backticks in a page's text."""
    return re.findall(r'`([^`\n]+)`', without_fences(page))


def folder_of(page) -> Path:
    """Return the folder that a page's links start from."""
    return PAGES[page].parent
