"""
Make a site of README.md, docs/ and the other pages at the root: `./run docs`.

The source folder is the root of the repository, so that every link has the same meaning as on GitHub; rosdoc2 reads
this file, too (rosdoc2.yaml), and keeps the same folders. The navigation is that of docs/README.md.
"""

import re
from pathlib import Path

from pygments.lexers.special import TextLexer

project = 'usv_energy'
author = 'usv_energy maintainers'
copyright = '2026, usv_energy maintainers'
version = release = '0.1.0'
extensions = ['myst_parser']
INDEX = 'docs/README'

if 'rosdoc2_settings' not in globals():     # rosdoc2 has an index of its own, with this one among its pages
    root_doc = INDEX
    include_patterns = ['docs/**', 'README.md', 'CONTRIBUTING.md', 'QUALITY_DECLARATION.md', 'SECURITY.md',
                        'CODE_OF_CONDUCT.md', 'CHANGELOG.rst', 'examples/**', 'usv_energy_msgs/*.md',
                        'usv_energy_msgs/*.rst']
    exclude_patterns = ['.*', 'build', 'install', 'log', 'results', 'usv_energy', 'test', 'config', 'models']

html_theme = 'furo'
html_title = 'usv_energy'
html_copy_source = html_show_sourcelink = False
html_show_search_summary = False    # A page that is opened as a file cannot read the other pages.
myst_heading_anchors = 4
# What a search engine shows, an icon, and links of the contents that a thumb finds.
HEAD = """
<meta name="description" content="Power and energy of unmanned surface vehicles, split by cause.">
<link rel="icon" href="data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100'>\
<text y='.9em' font-size='90'>%E2%9A%A1</text></svg>">
<style>.toc-tree a.reference {display: inline-block; min-height: 24px}</style>
"""


def navigation(text):
    """Return toctrees of the index's sections, one for each heading with a table of pages below it."""
    trees = []
    for caption, section in re.findall(r'^## (.+?)\n(.*?)(?=^## |\Z)', text, re.MULTILINE | re.DOTALL):
        rows = '\n'.join(line for line in section.splitlines() if line.startswith('|'))
        pages = re.findall(r'\[[^\]]*\]\(([^)#\s]+)\.(?:md|rst)\)', rows)
        if pages:
            trees.append('\n'.join(['```{toctree}', ':hidden:', f':caption: {caption}', '', *pages, '```']))
    return '\n\n'.join(trees)


def add_navigation(app, name, source):
    """Append the navigation to the index, which GitHub shows without it."""
    if name == INDEX:
        source[0] += '\n\n' + navigation(source[0])


def make_accessible(app, page, template, context, doctree):
    """Give captions of the navigation a level, and let the keyboard scroll what is wider than the page; add HEAD."""
    context['metatags'] = context.get('metatags', '') + HEAD
    for key in ('body', 'furo_navigation_tree'):
        text = context.get(key) or ''
        text = text.replace('class="caption" role="heading"', 'class="caption" role="heading" aria-level="2"')
        context[key] = re.sub(r'<(pre|div class="table-wrapper[^"]*")>', r'<\1 tabindex="0">', text)


def write_front(app, error):
    """Write index.html, which leads to the index."""
    if error is None and app.builder.format == 'html':
        page = f'{INDEX}.html'
        Path(app.outdir, 'index.html').write_text(
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{project}</title>'
            f'<meta http-equiv="refresh" content="0; url={page}"><a href="{page}">{project}</a></html>\n')


def setup(app):
    """Connect the above to Sphinx."""
    app.add_lexer('csv', TextLexer)
    app.connect('source-read', add_navigation)
    app.connect('html-page-context', make_accessible, priority=900)     # after the theme
    if 'rosdoc2_settings' not in globals():
        app.connect('build-finished', write_front)


