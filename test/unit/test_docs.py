"""What README, CONTRIBUTING and docs/ show runs; what they name is there; the page of the API is fresh."""

import contextlib
import importlib
import importlib.util
import io
import os
import re
import subprocess
import sys

import doc_files
import pytest
import test_layers
from doc_files import PAGES, anchors, code_words, commands, fences, links
from places import ROOT

from usv_energy.cli import main

OWN_VERBS = ('test', 'bench', 'docs', 'shell', 'clean', 'help')      # Of ./run; the rest goes to usv-energy.
EVERY_FENCE = [(page, fence) for page in PAGES for fence in fences(page)]
COMMANDS = [(page, fence.line, words) for page, fence in EVERY_FENCE if fence.language == 'sh'
            for words in commands(fence)]
EXAMPLES = [page for page in PAGES if page != 'examples/README.md' and any(
    fence.language == 'python' or fence.runs for fence in fences(page))]
WRITTEN = [page for page in PAGES if not PAGES[page].read_text('utf-8').startswith('<!-- Made')]


def own_arguments(words):
    """Return the arguments of usv-energy in a command line; None if it is another program's, or `./run`'s own verb."""
    if words[0] == './run':
        return None if words[1] in OWN_VERBS else words[1:]
    return words[1:] if words[0] == 'usv-energy' else None


def ids(cases):
    return [f'{page}:{line}: {" ".join(words)[:60]}' for page, line, words in cases]


# ---- command lines

OURS = [(page, line, own) for page, line, words in COMMANDS if (own := own_arguments(words)) is not None]


@pytest.mark.parametrize(('page', 'line', 'arguments'), OURS, ids=ids(OURS))
def test_every_command_line_is_taken_by_the_real_parser(page, line, arguments):
    words = main.joined_verb(arguments)
    try:
        main._parser(words[0]).parse_args(words)
    except SystemExit as end:
        assert end.code == 0, f'{page}:{line}: {arguments}'


def test_other_commands_name_what_is_there():
    wrong = []
    for page, line, words in COMMANDS:
        place = f'{page}:{line}: {" ".join(words)}'
        if words[0] == './run' and words[1] not in OWN_VERBS and words[1] not in main.VERBS:
            wrong.append(place)
        if words[:3] == ['ros2', 'launch', 'usv_energy']:
            known = arguments_of(words[3]) if (ROOT / 'launch' / words[3]).is_file() else set()
            wrong += [place for word in words[4:] if ':=' in word and word.split(':=')[0] not in known]
            wrong += [] if known else [place]
        if words[:3] == ['ros2', 'run', 'usv_energy'] and f"'{words[3]}" not in (ROOT / 'setup.py').read_text():
            wrong.append(place)
        wrong += [place for word in words if word.startswith('test/') and not (ROOT / word).exists()]
        if '-m' in words and words[words.index('-m') + 1].startswith('usv_energy.'):
            wrong += [place] if importlib.util.find_spec(words[words.index('-m') + 1]) is None else []
    assert wrong == []


def arguments_of(launch_file):
    """Return the names of its arguments, of the page that is made from them (test/node/test_graph_options.py)."""
    page = (ROOT / 'docs' / 'parameters.md').read_text(encoding='utf-8')
    section = re.search(rf'^### {re.escape(launch_file)}\n(.*?)(?=^#|\Z)', page, re.MULTILINE | re.DOTALL)
    return set(re.findall(r'^\| `(\w+)`', section[1], re.MULTILINE))


def test_commands_stand_in_fences():
    """A command outside a fence would be parsed by nobody."""
    wrong = [(page, line) for page in PAGES for line in doc_files.without_fences(page).splitlines()
             if re.match(r' {4,}(usv-energy|\./run|ros2|import) ', line)]
    assert wrong == []
    assert len(OURS) > 30


# ---- examples

@pytest.mark.parametrize('page', EXAMPLES)
def test_examples_run_as_they_stand(page, tmp_path, monkeypatch):
    """Files named in or above their block, then Python and commands in their order; what is shown below is printed."""
    pytest.importorskip('xarray')
    pytest.importorskip('netCDF4')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv('MPLBACKEND', 'Agg')
    names = {'__name__': '__main__'}
    for fence in fences(page):
        place = f'{page}:{fence.line}'
        if fence.language in ('yaml', 'csv') and fence.file is not None:
            (tmp_path / fence.file).write_text(fence.text, encoding='utf-8')
        elif fence.language == 'python':
            told = io.StringIO()
            with contextlib.redirect_stdout(told):
                exec(compile('\n' * fence.line + fence.text, place, 'exec'), names)
            if fence.output is not None:
                assert told.getvalue() == fence.output, place
        elif fence.runs:
            for words in commands(fence):
                with contextlib.redirect_stdout(io.StringIO()) as printed, contextlib.redirect_stderr(
                        io.StringIO()) as told:
                    status = 3 if (fence.output or '').startswith('NO GO') else 0
                    assert main.main(own_arguments(words)) == status, f'{place}: {words}\n{told.getvalue()}'
            if fence.output is not None:    # Of the last command; `...` stands for lines that are left out.
                lines = iter(printed.getvalue().splitlines())
                assert [line for line in fence.output.splitlines() if line != '...' and line not in lines] == [], place


def test_the_examples_import_the_public_api_alone():
    internal = re.compile(r'^\s*(?:from|import) usv_energy\.\S+', re.MULTILINE)
    assert [(page, found) for page, fence in EVERY_FENCE if fence.language in ('python', 'py')
            for found in internal.findall(fence.text)] == []


def test_every_kind_of_example_is_among_those_that_run():
    assert len(EXAMPLES) >= 5
    assert 'README.md' in EXAMPLES
    assert any(fence.output is not None for _, fence in EVERY_FENCE)


def test_every_yaml_block_is_yaml():
    from usv_energy.files.parsed_text import parsed_yaml
    for page, fence in EVERY_FENCE:
        if fence.language == 'yaml':
            assert parsed_yaml(fence.text, PAGES[page]) is not None


# ---- links and names

@pytest.mark.parametrize('page', PAGES)
def test_every_link_leads_somewhere(page):
    known = {path.resolve(): anchors(name) for name, path in PAGES.items()}
    for target, anchor in links(page):
        path = (doc_files.folder_of(page) / target).resolve() if target else PAGES[page].resolve()
        assert path.exists(), f'{page}: {target}'
        assert not anchor or anchor in known.get(path, ()), f'{page}: {target}#{anchor}'


@pytest.mark.parametrize('page', PAGES)
def test_every_file_and_module_that_is_named_is_there(page):
    wrong = [word for word in code_words(page) if not there(word)]
    assert wrong == []


def there(word):
    """Return whether a word in backticks, if it looks like a path or a module of this repository, exists."""
    if re.fullmatch(r'(config|docs|test|bench|launch|usv_energy|requirements|models|worlds)/[\w./*{},-]*', word):
        return all(any(ROOT.glob(one.rstrip('/'))) for one in braces(word))
    if re.fullmatch(r'usv_energy(\.\w+)+', word):
        return module_or_member(word)
    if re.fullmatch(r'test_\w+', word):
        return any(f'def {word}(' in path.read_text(encoding='utf-8') for path in (ROOT / 'test').rglob('test_*.py'))
    return True


def braces(word):
    match = re.search(r'\{([^}]*)\}', word)
    return [word] if match is None else [word.replace(match[0], one) for one in match[1].split(',')]


def module_or_member(dotted):
    head, _, last = dotted.rpartition('.')
    try:
        if importlib.util.find_spec(dotted) is not None:
            return True
    except ModuleNotFoundError:
        return False
    return hasattr(importlib.import_module(head), last)


def test_the_rooms_of_contributing_have_the_ranks_of_the_test_of_layers():
    rows = re.findall(r'^\| (\d+) \| `usv_energy/([\w/]+)(?:\.py)?`',
                      PAGES['CONTRIBUTING.md'].read_text(encoding='utf-8'), re.MULTILINE)
    known = {**test_layers.RANKS, **test_layers.COMMANDS}
    assert {room: int(rank) for rank, room in rows} == {room: known[room] for _, room in rows}
    assert set(test_layers.RANKS) <= {room for _, room in rows}


def test_the_index_leads_to_every_page():
    led = {target for target, _ in links('docs/README.md')}
    pages = {path.relative_to(ROOT / 'docs').as_posix() for path in (ROOT / 'docs').rglob('*.md')}
    assert pages - {'README.md'} <= led


@pytest.mark.parametrize('page', WRITTEN)
def test_a_cell_of_a_table_is_read_at_one_glance(page):
    """What takes more words is prose, and goes into paragraphs."""
    cells = [cell for line in doc_files.without_fences(page).splitlines() if line.startswith('|')
             for cell in line.split('|')]
    assert [cell[:60] for cell in cells if len(cell.split()) > 90] == []


@pytest.mark.parametrize('page', WRITTEN)
def test_no_sentence_is_longer_than_anybody_reads_at_once(page):
    """Written are at most 40 words, by style.md; what is beyond 60 is refused."""
    text = re.sub(r'<!--.*?-->|\]\([^)]*\)|^ *\|[^\n]*', '', doc_files.without_fences(page), flags=re.M | re.S)
    parts = re.split(r'\n\s*\n|\n\s*(?:[-*#]+|\d+\.)\s', text)
    end = re.compile(r'(?<=[.!?:])\**\)?\s+(?=[A-Z`*\[(])')
    sentences = [one for part in parts for one in end.split(' '.join(part.split()))]
    assert [one for one in sentences if len(one.split()) > 60] == []


def test_every_shipped_boat_is_in_the_table():
    text = PAGES['docs/files.md'].read_text(encoding='utf-8')
    table = text[text.index('### Shipped boats'):text.index('## What a run writes')]
    assert set(re.findall(r'`(\w+)`', ''.join(re.findall(r'^\| (`[^|]*) \|', table, re.MULTILINE)))) == {
        path.stem for path in (ROOT / 'config' / 'boats').glob('*.yaml')}


def test_the_glossary_explains_every_cause():
    from usv_energy.show.causes import CAUSES
    headings = re.findall(r'^## (.*)$', PAGES['docs/glossary.md'].read_text(encoding='utf-8'), re.MULTILINE)
    assert set(headings[:-1]) == {cause.name for cause in CAUSES}


# ---- pages that are made from the source

@pytest.mark.parametrize('name', ['api', 'commands', 'keys', 'messages'])
def test_a_page_that_is_made_from_the_source_is_fresh(name):
    maker = f'docs/make_{name}.py'
    made = subprocess.run([sys.executable, maker, '-'], capture_output=True, text=True, check=True, cwd=ROOT,
                          env={**os.environ, 'COLUMNS': '40'}).stdout
    assert (ROOT / 'docs' / f'{name}.md').read_text(encoding='utf-8') == made, f'python3 {maker} makes it anew'
