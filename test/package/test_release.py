"""What a release by bloom and the ROS index reads: package.xml, changelogs and versions of both packages."""

import re
import shutil
import subprocess
import sys

import pytest
import tomllib  # noqa: TID251  of the release, which a newer Python makes
import yaml
from catkin_pkg.changelog import get_changelog_from_path
from catkin_pkg.package import parse_package
from catkin_pkg.packages import find_packages
from catkin_pkg.topological_order import topological_order
from places import ROOT

from usv_energy.version import __version__

NEEDS = ('catkin_pkg',)
PACKAGES = ('usv_energy', 'usv_energy_msgs', 'usv_energy_nav2')
FOLDERS = {'usv_energy': ROOT, 'usv_energy_msgs': ROOT / 'usv_energy_msgs'}
both = pytest.mark.parametrize('name', FOLDERS)
SECTIONS = ('1. Version policy', '2. Change control', '3. Documentation', '4. Testing', '5. Dependencies',
            '6. Platforms', '7. Security')


@both
def test_package_xml_says_who_and_where(name):
    warnings = []
    package = parse_package(str(FOLDERS[name]), warnings=warnings)
    assert warnings == []
    assert (package.name, package.version, package.licenses) == (name, __version__, ['Apache-2.0'])
    assert package.maintainers and package.authors and all('@' in person.email for person in package.maintainers)
    assert {url.type for url in package.urls} == {'website', 'repository', 'bugtracker'}
    assert all(url.url.startswith('https://') for url in package.urls)


@pytest.mark.parametrize(('path', 'line'), [('setup.py', "    version='{}',"), ('CITATION.cff', 'version: {}'),
                                            ('docs/conf.py', "version = release = '{}'")])
def test_other_files_have_the_same_version(path, line):
    assert line.format(__version__) in (ROOT / path).read_text(encoding='utf-8').splitlines()


@both
def test_the_changelog_is_read_by_catkin_pkg_and_has_this_version(name):
    changelog = get_changelog_from_path(str(FOLDERS[name]), name)
    version, _, content = next(iter(changelog.foreach_version(reverse=True)))
    assert version == __version__
    whole = (FOLDERS[name] / 'CHANGELOG.rst').read_text()
    text = whole[whole.index(f'{__version__} ('):]
    above = re.findall(r'^(.+)\n-+$', whole[:-len(text)], re.MULTILINE)
    assert above in ([], ['Forthcoming']), 'what is not released yet stands above, as catkin_prepare_release wants it'
    found = sum(len(part.bullets) for part in content if hasattr(part, 'bullets'))
    assert found == len(re.findall(r'^\* ', text, re.MULTILINE)) > 0
    dated = re.findall(r'^(.+)\n-+$', text, re.MULTILINE)
    assert len(dated) == len(list(changelog.foreach_version(reverse=True))), 'every heading is a version with its date'


@both
def test_the_quality_declaration_names_a_level_and_all_sections(name):
    text = (FOLDERS[name] / 'QUALITY_DECLARATION.md').read_text()
    assert re.search(rf'`{name}` claims to be in the category \*\*Quality Level [1-5]\*\*', text)
    assert tuple(re.findall(r'^## (.*)$', text, re.MULTILINE)) == SECTIONS
    links = re.findall(r'\]\((?!https:)([^)#]*)', text)
    assert [link for link in links if not (FOLDERS[name] / link).exists()] == []


def test_the_tree_for_bloom_has_three_siblings_with_licence_and_changelog(tmp_path):
    """What bloom takes: packages beside each other, of one version, that depend on each other in no circle."""
    tree = tmp_path / 'src'
    subprocess.run([sys.executable, str(ROOT / 'bin' / 'release-tree'), str(tree)], check=True)
    packages = find_packages(str(tree))
    assert {path: package.name for path, package in packages.items()} == {name: name for name in PACKAGES}
    assert {package.version for package in packages.values()} == {__version__}
    order = [name for name, _ in topological_order(str(tree))]
    assert set(order) == set(PACKAGES) and order.index('usv_energy_msgs') < order.index('usv_energy_nav2')
    for name in PACKAGES:
        assert (tree / name / 'LICENSE').read_bytes() == (ROOT / 'LICENSE').read_bytes()
        version, _, _ = next(iter(get_changelog_from_path(str(tree / name), name).foreach_version(reverse=True)))
        assert version == __version__
    kept = {path.relative_to(tree / 'usv_energy').as_posix() for path in (tree / 'usv_energy').rglob('*.py')}
    assert {path.relative_to(ROOT).as_posix() for path in (ROOT / 'usv_energy').rglob('*.py')} <= kept
    again = subprocess.run([sys.executable, str(ROOT / 'bin' / 'release-tree'), str(tree)], capture_output=True,
                           text=True)
    assert again.returncode == 1 and 'must be a new or an empty folder' in again.stderr


def test_a_release_changes_every_place_of_the_version(tmp_path):
    """bin/release on a copy: no old version is left, catkin_pkg reads the changelogs; wrong words do nothing."""
    names = ('setup.py', 'usv_energy/version.py', 'docs/conf.py', 'CITATION.cff', 'bin/release', *(
        f'{folder}{name}' for folder in ('', 'usv_energy_msgs/', 'usv_energy_nav2/')
        for name in ('package.xml', 'CHANGELOG.rst')))
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    before = {name: (tmp_path / name).read_text(encoding='utf-8') for name in names}

    def release(*arguments):
        return subprocess.run([sys.executable, str(tmp_path / 'bin' / 'release'), *arguments], capture_output=True,
                              text=True)
    for arguments, says in ((('9.9',), "'9.9' is no version"), ((__version__,), 'is not greater'),
                            (('9.9.9', 'soon'), "'soon' is no date"), ((), 'Usage: release VERSION')):
        done = release(*arguments)
        assert done.returncode == 1 and says in done.stderr
    assert {name: (tmp_path / name).read_text(encoding='utf-8') for name in names} == before
    done = release('9.9.9', '2031-02-03')
    assert done.returncode == 0 and 'git tag 9.9.9' in done.stdout
    for name in names[:4]:
        assert '9.9.9' in (tmp_path / name).read_text() and f"'{__version__}'" not in (tmp_path / name).read_text()
    for folder in ('', 'usv_energy_msgs', 'usv_energy_nav2'):
        package = parse_package(str(tmp_path / folder))
        changelog = get_changelog_from_path(str(tmp_path / folder), package.name)
        version, date, _ = next(iter(changelog.foreach_version(reverse=True)))
        assert (package.version, version, f'{date:%Y-%m-%d}') == ('9.9.9', '9.9.9', '2031-02-03')


def test_every_file_has_its_licence_by_reuse_and_no_file_says_otherwise():
    """REUSE.toml covers all files; a statement within a file would count before it, and must agree."""
    with (ROOT / 'REUSE.toml').open('rb') as file:
        annotation, = tomllib.load(file)['annotations']
    assert (annotation['path'], annotation['SPDX-License-Identifier']) == ('**', 'Apache-2.0')
    assert 'usv_energy maintainers' in annotation['SPDX-FileCopyrightText']
    assert (ROOT / 'LICENSES' / 'Apache-2.0.txt').read_bytes() == (ROOT / 'LICENSE').read_bytes()
    mark = 'SPDX-' + 'License-Identifier:'
    others = [path for folder in (*PACKAGES, 'launch', 'config', 'bench', 'docs')
              for path in (ROOT / folder).rglob('*') if path.suffix in ('.py', '.cpp', '.hpp', '.yaml', '.msg', '.srv')
              and mark in (text := path.read_text(encoding='utf-8')) and f'{mark} Apache-2.0' not in text]
    assert others == []


def test_the_workflow_and_the_image_use_what_is_there():
    workflow = yaml.safe_load((ROOT / '.github' / 'workflows' / 'ci.yml').read_text())
    steps = [step.get('run', '') for job in workflow['jobs'].values() for step in job['steps']]
    assert '.ci/run' in steps and workflow['permissions'] == {'contents': 'read'}
    image = (ROOT / 'docker' / 'Dockerfile').read_text()
    for text in (image, *steps):
        for name in re.findall(r'check(?:out)?/(bin/[a-z-]+)', text):
            assert (ROOT / name).is_file()
    assert 'FROM ros:jazzy' in image and re.search(r'^USER [1-9]', image, re.MULTILINE), 'not run by root'
    assert any('bin/release-tree' in step for step in steps) and 'bin/release-tree' in image


def test_security_md_names_files_that_are_there():
    text = (ROOT / 'SECURITY.md').read_text()
    assert [link for link in re.findall(r'\]\((?!https:)([^)#]*)', text) if not (ROOT / link).exists()] == []
