import json
import os

from usv_energy.studies.runs.monitor_view import ENTER, FrameOutput

STATE = {'namespace': '/boat', 'power_total_w': 12.5, 'problems': []}


def test_what_is_no_terminal_gets_frames_without_codes(capsys):
    with FrameOutput(as_json=False, live=True) as output:
        output.show(STATE)
        output.show(STATE)
    out = capsys.readouterr().out
    assert out.count('/boat') == 2 and '\x1b' not in out


def test_json_is_an_object_a_line(capsys):
    with FrameOutput(as_json=True, live=True) as output:
        output.show(STATE)
        output.show(STATE)
    assert [json.loads(line) for line in capsys.readouterr().out.splitlines()] == [STATE, STATE]


def test_a_terminal_gets_each_frame_in_the_place_of_the_last_and_is_given_back(capsys, monkeypatch):
    monkeypatch.setattr('sys.stdout.isatty', lambda: True)
    monkeypatch.setattr('shutil.get_terminal_size', lambda fallback: os.terminal_size((92, 30)))
    with FrameOutput(as_json=False, live=True) as output:
        output.show(STATE)
    out = capsys.readouterr().out
    assert out.startswith(ENTER) and out.endswith('\x1b[?25h\x1b[?1049l') and 'Ctrl-C ends the view' in out
