"""The extension of BlueOS: its labels are what BlueOS reads, and its command is one that the real parser takes."""

import json
import re

from places import ROOT

from usv_energy.cli.main import _parser
from usv_energy.live.live_page import SERVICE
from usv_energy.version import __version__

TEXT = (ROOT / 'extension' / 'blueos' / 'Dockerfile').read_text(encoding='utf-8').replace('\\\n', '')
LABELS = {name: value.strip('\'"') for name, value in re.findall(r'^LABEL (\w+)=(.*)$', TEXT, re.MULTILINE)}


def test_labels_are_those_that_blueos_reads():
    """As `blueos_repository/extension` and BlueOS's own kraken read them, on 2026-11-28."""
    permissions = json.loads(LABELS['permissions'])   # Given as they are to Docker, to create the container.
    assert set(permissions) == {'HostConfig'} and set(permissions['HostConfig']) == {'NetworkMode', 'Binds'}
    assert permissions['HostConfig']['NetworkMode'] == 'host'  # The router's port is on the host's loopback.
    assert all(set(author) == {'name', 'email'} for author in json.loads(LABELS['authors']))
    assert set(json.loads(LABELS['company'])) <= {'name', 'about', 'email'}
    assert LABELS['type'] in {'device-integration', 'example', 'theme', 'other', 'tool', 'education'}
    tags = json.loads(LABELS['tags'])
    assert len(tags) <= 10 and all(re.fullmatch('[a-z0-9-]+', tag) for tag in tags)
    assert re.fullmatch(r'core >= \d+(\.\d+)*', LABELS['requirements'])
    assert LABELS['version'] == __version__
    assert {'name', 'description', 'icon', 'company', 'version', 'webpage', 'api'} <= set(SERVICE)


def test_the_command_is_one():
    [words] = re.findall(r'^ENTRYPOINT (\[.*\])$', TEXT, re.MULTILINE)
    program, *arguments = json.loads(words)
    args = _parser('live').parse_args(arguments)
    assert program == 'usv-energy' and args.may_command is None
    [bind] = json.loads(LABELS['permissions'])['HostConfig']['Binds']
    assert str(args.settings.parent) == bind.split(':')[1]


def test_what_is_copied_and_installed_is_there():
    copied = re.findall(r'^COPY (?!--from)(\S+)', TEXT, re.MULTILINE)
    assert '.' in copied and [name for name in copied if name != '.' and not list(ROOT.glob(name))] == []
    assert [extra for extra in re.findall(r'whl\)\[(\w+)\]', TEXT)] == ['ardupilot']
    assert (ROOT / 'requirements' / 'ardupilot.txt').is_file()
