"""The extension of BlueOS: its labels are what BlueOS reads, and its command is one that the real parser takes."""

import json
import re

from places import ROOT

from usv_energy.cli.main import _parser
from usv_energy.version import __version__

TEXT = (ROOT / 'extension' / 'blueos' / 'Dockerfile').read_text(encoding='utf-8').replace('\\\n', '')
LABELS = {name: value.strip('\'"') for name, value in re.findall(r'^LABEL (\w+)=(.*)$', TEXT, re.MULTILINE)}


def test_labels_are_those_that_blueos_reads():
    permissions = json.loads(LABELS['permissions'])
    assert permissions['NetworkMode'] == 'host'  # The router's port is on the host's loopback.
    assert all('email' in author for author in json.loads(LABELS['authors']))
    assert json.loads(LABELS['company'])['name'] == 'usv_energy' and json.loads(LABELS['tags'])
    assert LABELS['version'] == __version__


def test_the_command_is_one():
    [words] = re.findall(r'^ENTRYPOINT (\[.*\])$', TEXT, re.MULTILINE)
    program, *arguments = json.loads(words)
    args = _parser('live').parse_args(arguments)
    assert program == 'usv-energy' and args.may_command is None
    [bind] = json.loads(LABELS['permissions'])['HostConfig']['Binds']
    assert str(args.settings.parent) == bind.split(':')[1]


def test_what_is_copied_and_installed_is_there():
    for name in re.findall(r'/src/(\S+)', TEXT):
        assert (ROOT / name).is_file(), name
    assert (ROOT / 'requirements' / 'ardupilot.txt').is_file()
