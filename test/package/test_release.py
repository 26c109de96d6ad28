"""What a release by bloom and the ROS index reads: package.xml, changelogs and versions of both packages."""

import re

import pytest
from catkin_pkg.changelog import get_changelog_from_path
from catkin_pkg.package import parse_package
from places import ROOT

from usv_energy.version import __version__

NEEDS = ('catkin_pkg',)
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


def test_setup_py_has_the_same_version():
    assert f"version='{__version__}'" in (ROOT / 'setup.py').read_text()


@both
def test_the_changelog_is_read_by_catkin_pkg_and_has_this_version(name):
    changelog = get_changelog_from_path(str(FOLDERS[name]), name)
    version, _, content = next(iter(changelog.foreach_version()))
    assert version == __version__
    whole = (FOLDERS[name] / 'CHANGELOG.rst').read_text()
    text = whole[whole.index(f'{__version__} ('):]
    above = re.findall(r'^(.+)\n-+$', whole[:-len(text)], re.MULTILINE)
    assert above in ([], ['Forthcoming']), 'what is not released yet stands above, as catkin_prepare_release wants it'
    found = sum(len(part.bullets) for part in content if hasattr(part, 'bullets'))
    assert found == len(re.findall(r'^\* ', text, re.MULTILINE)) > 0
    dated = re.findall(r'^(.+)\n-+$', text, re.MULTILINE)
    assert len(dated) == len(list(changelog.foreach_version())), 'every heading is a version with its date'


@both
def test_the_quality_declaration_names_a_level_and_all_sections(name):
    text = (FOLDERS[name] / 'QUALITY_DECLARATION.md').read_text()
    assert re.search(rf'`{name}` claims to be in the category \*\*Quality Level [1-5]\*\*', text)
    assert tuple(re.findall(r'^## (.*)$', text, re.MULTILINE)) == SECTIONS
    links = re.findall(r'\]\((?!https:)([^)#]*)', text)
    assert [link for link in links if not (FOLDERS[name] / link).exists()] == []
