"""
The pages of `usv-energy serve` as a browser sees them: python3 bench/serve.py [--clients 10] [--axe axe.min.js]

Prints how long the server takes to begin, the first paint, how long a slider's answer takes for plans of 100 and
500 ways, the first and the whole one, alone, with departures in a tide, and with other browsers at once, and the
memory of the server and its processes, also after visitors of all pages, one with a flow file, and a route. With
`--axe`, the script of axe-core (`npm pack axe-core`), what it finds on each page, light, dark and at three widths; exit
status 1 if it is serious.
Needs playwright and a Chromium.
"""

import argparse
import asyncio
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import numpy as np  # noqa: E402
import xarray  # noqa: E402
from playwright.sync_api import sync_playwright  # noqa: E402
from serve_visitor import PlanVisitor  # noqa: E402

from usv_energy.cli.main import main as usv_energy  # noqa: E402
from usv_energy.web.frame import PAGES  # noqa: E402

IS_WHOLE = '"aria-busy": "false"'
DONE = '.outcome:is(.go, .no, .unsure)[aria-busy=false]'
SPEED = 'Speed over ground, all legs, kn'
RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
BOATS = 'blueboat', 'lutra_prop'
REPEATS, IN_A_TIDE = 8, 3
WIDTHS = 390, 1400, 2560     # px
# Moves a slider by a step, and returns the ms until the first answer and until the whole one are shown.
MOVE = '''
async ([label, value]) => {
  const slider = document.querySelector(`[aria-label="${label}"]`);
  const text = document.querySelector(".text"), outcome = document.querySelector(".outcome");
  const shown = () => text.textContent.includes(`'${value} kn'`);
  slider.value = value;
  const begin = performance.now();
  slider.dispatchEvent(new Event("input", {bubbles: true}));
  while (!shown()) await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  const first = performance.now() - begin;
  while (outcome.getAttribute("aria-busy") === "true") await new Promise(requestAnimationFrame);
  return [first, performance.now() - begin];
}'''


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, int]]:
    """Serve a folder; return the address and the process's number."""
    begin = time.perf_counter()
    process = subprocess.Popen([sys.executable, '-P', '-m', 'usv_energy.cli.main', 'serve', '--port', '0',
                                '--no-browser', '--folder', str(folder)], cwd=ROOT, text=True, stderr=subprocess.PIPE)
    assert process.stderr is not None
    address = re.search(r'http://\S+', process.stderr.readline())
    assert address is not None
    print(f'the address is there after {time.perf_counter() - begin:.2f} s')
    try:
        yield address[0], process.pid
    finally:
        process.terminate()
        process.wait(20)


def plan_of(ways: int, folder: Path) -> Path:
    """Return a plan of a number of ways: lanes from west to east."""
    path = folder / f'ways{ways}.plan'
    if not path.exists():
        with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
            usv_energy(['mission', 'make', 'lawnmower', '--size', '200', str(5 * ways), '--spacing', '10', '--angle',
                        'E', '--at', '45.6073', '9.5524', '--speed', '0.7', '--out', str(path)])
    return path


def with_plan(browser: Any, address: str, plan: Path, boat: str) -> Any:
    """Return a page of a browser of its own that shows a plan of a boat, and print nothing."""
    page = browser.new_context(viewport={'width': 1400, 'height': 900}).new_page()
    page.goto(address)
    page.wait_for_selector('main')
    page.set_input_files('input[type=file]', plan)
    page.wait_for_selector(DONE, timeout=60_000)
    if boat != 'blueboat':
        page.get_by_label('Boat', exact=True).click()
        page.get_by_role('option', name=boat, exact=True).click()
        page.locator('.text', has_text=f'--boat {boat}').wait_for()
    page.get_by_label('Wind: a phrase').fill('6 kn from NE')
    page.locator('.text', has_text='--wind').wait_for()
    page.wait_for_selector(DONE, timeout=60_000)
    return page


def median(values: list[float]) -> str:
    """Return median and highest of some ms as words."""
    return f'{statistics.median(values):.0f} ms (at most {max(values):.0f})'


def memory(process: int) -> float:
    """Return the memory of a process, MB: its own, and its share of what others map, too (PSS)."""
    text = Path(f'/proc/{process}/smaps_rollup').read_text(encoding='utf-8')
    return int(re.findall(r'Pss:\s+(\d+)', text)[0]) / 1000.0


def memories(process: int) -> str:
    """Return the memory of the server and of the processes that it keeps as words."""
    return ' + '.join(f'{memory(one):.0f}' for one in (process, *children_of(process))) + ' MB'


def children_of(process: int) -> list[int]:
    """Return the processes that a process has begun."""
    return [int(child) for thread in Path(f'/proc/{process}/task').iterdir()
            for child in (thread / 'children').read_text(encoding='utf-8').split()]


def seconds_used(process: int) -> float:
    """Return the processor time of a process so far, s."""
    user, system = Path(f'/proc/{process}/stat').read_text(encoding='utf-8').rpartition(')')[2].split()[11:13]
    return (int(user) + int(system)) / os.sysconf('SC_CLK_TCK')


def paints(browser: Any, address: str) -> None:
    """Print the first paints of each page, on first and on second visit."""
    for entry in PAGES:
        context = browser.new_context()
        found = []
        for _ in range(2):
            page = context.new_page()
            page.goto(address.rstrip('/') + entry.path)
            page.wait_for_selector('main')
            found.append(page.evaluate(
                "performance.getEntriesByType('paint').find(one => one.name == 'first-contentful-paint').startTime"))
        print(f'{entry.title}: first paint after {found[0]:.0f} ms, on a second visit {found[1]:.0f} ms')
        context.close()


def sliders(browser: Any, address: str, folder: Path) -> None:
    """Print how long a slider's answers take."""
    for ways in (100, 500):
        plan = plan_of(ways, folder)
        for boat in BOATS:
            page = with_plan(browser, address, plan, boat)
            times = [page.evaluate(MOVE, [SPEED, f'{1.0 + 0.1 * (number + 1):.1f}']) for number in range(REPEATS)]
            first, whole = ([one[place] for one in times] for place in (0, 1))
            print(f'{ways} ways, {boat}: a slider is answered after {median(first)}, wholly after {median(whole)}')
            page.context.close()


def tide_of(folder: Path) -> Path:
    """Return a netCDF file of a tide over the plans, 0.3 m/s to and fro in 12.4 h, for two days."""
    times = np.arange(0.0, 48.0, 0.25)
    shape = 'time', 'latitude', 'longitude'
    flow = {name: (shape, (0.3 * turn(2.0 * np.pi * times / 12.4))[:, None, None] * np.ones((9, 9)),
                   {'standard_name': f'{way}_sea_water_velocity', 'units': 'm s-1'})
            for name, way, turn in (('uo', 'eastward', np.sin), ('vo', 'northward', np.cos))}
    path = folder / 'tide.nc'
    axes = {'time': ('time', times, {'units': 'hours since 2026-06-01'}),
            'latitude': ('latitude', np.linspace(45.5, 45.7, 9), {'units': 'degrees_north'}),
            'longitude': ('longitude', np.linspace(9.4, 9.7, 9), {'units': 'degrees_east'})}
    xarray.Dataset(flow, axes).to_netcdf(path)
    return path


def with_tide(browser: Any, address: str, folder: Path, boat: str) -> Any:
    """Return a page that shows a plan of 100 ways with 25 departures in a netCDF file's tide."""
    tide, window = tide_of(folder), '2026-06-01T08:00Z,2026-06-01T20:00Z,30min'
    page = with_plan(browser, address, plan_of(100, folder), boat)
    for label, text in (('Departure', window), ('Current: a phrase', tide.name)):
        page.get_by_label(label).first.fill(text)
    page.locator('.text', has_text=tide.name).wait_for()
    page.wait_for_selector(DONE, timeout=60_000)
    return page


def in_a_tide(browser: Any, address: str, folder: Path) -> None:
    """Print how long a slider's answers take with 25 departures in a netCDF file's tide, their curve in the first."""
    for boat in BOATS:
        page = with_tide(browser, address, folder, boat)
        times = [page.evaluate(MOVE, [SPEED, f'{1.0 + 0.1 * (number + 1):.1f}']) for number in range(IN_A_TIDE)]
        first, whole = ([one[place] for one in times] for place in (0, 1))
        print(f'100 ways, 25 departures, {boat}: answered after {median(first)}, wholly after {median(whole)}')
        page.context.close()


def together(address: str, folder: Path, clients: int, process: int) -> None:
    """Print how long the server's answers take while all of some visitors move their sliders, without browsers."""
    plan = plan_of(100, folder)
    first: list[float] = []
    whole: list[float] = []

    async def visit(number: int) -> None:
        async with PlanVisitor(address) as visitor:
            await visitor.set('label', 'Plan', plan.name)
            await visitor.heard(plan.name, IS_WHOLE)
            await visitor.set('label', 'Boat', 'lutra_prop')
            await visitor.heard('--boat lutra_prop')
            for step in range(1, REPEATS):
                await asyncio.sleep(0.7 + 0.05 * number)
                begin, value = time.perf_counter(), 1.0 + 0.1 * step
                await visitor.set('aria-label', SPEED, round(value, 1))
                first.append(1000.0 * (await visitor.heard(f"'{value:.1f} kn'") - begin))
            whole.append(1000.0 * (await visitor.heard(IS_WHOLE) - begin))

    async def visits() -> None:
        await asyncio.gather(*(visit(number) for number in range(clients)))

    before = seconds_used(process)
    with ThreadPoolExecutor(1) as thread:   # Playwright has a loop in this one.
        thread.submit(asyncio.run, visits()).result()
    used = (seconds_used(process) - before) / len(first)
    print(f'{clients} visitors at once, 100 ways, lutra_prop: the server answers a slider after {median(first)}, nine '
          f'of ten within {sorted(first)[int(0.9 * len(first))]:.0f} ms, the last one wholly after {median(whole)}; '
          f'{1000.0 * used:.0f} ms of the processor for a first answer')


def with_log(page: Any, log: Path) -> None:
    """Show a log on the page Look back."""
    page.set_input_files('input[type=file]', log)
    page.locator('.verdict').wait_for(timeout=120_000)


def with_example(page: Any) -> None:
    """Show the example on the page Boat, with its range."""
    page.get_by_role('button', name='Fill in an example').click()
    page.get_by_text('Numbers of the boat').wait_for(timeout=60_000, state='attached')


def visitors(browser: Any, address: str, folder: Path, process: int) -> None:
    """Print the server's memory after visitors of all pages, and while and after a route is found."""
    for _ in range(6):
        page = with_plan(browser, address, plan_of(100, folder), 'lutra_prop')
    for log in logs_of(folder):
        other = browser.new_context(accept_downloads=True).new_page()
        other.goto(f'{address.rstrip("/")}/look-back')
        other.wait_for_selector('main')
        with_log(other, log)
        begin = time.perf_counter()
        with other.expect_download(timeout=120_000):
            other.get_by_role('button', name='The report as one page').click()
        print(f'the report of {log.name} as one page after {time.perf_counter() - begin:.1f} s')
    for path, show in (('/boat', with_example), ('/live', lambda page: None)):
        other = browser.new_context().new_page()
        other.goto(address.rstrip('/') + path)
        other.wait_for_selector('main')
        show(other)
    print(f'memory after ten visitors: {memories(process)}')
    with_tide(browser, address, folder, 'blueboat')
    print(f'with an eleventh, whose plan has a netCDF file: {memories(process)}')
    begin, most = time.perf_counter(), 0.0
    page.get_by_role('button', name='Find the route').click()
    while not page.locator('.route').is_visible():
        with suppress(OSError, IndexError):
            most = max(most, *(memory(child) for child in children_of(process)))
        time.sleep(0.05)
    print(f'a route after {time.perf_counter() - begin:.1f} s; the process that found it had {most:.0f} MB')


def logs_of(folder: Path) -> list[Path]:
    """Return the logs of two runs."""
    found = []
    for name in ('3', '5'):
        there = folder / f'log{name}.csv'
        if not there.exists():
            with redirect_stdout(StringIO()), redirect_stderr(StringIO()):
                usv_energy(['run', name, '--out', str(folder / 'runs')])
            shutil.copy(next((folder / 'runs').glob(f'{name}_*/samples.csv')), there)
        found.append(there)
    return found


def findings(browser: Any, address: str, folder: Path, script: str, pictures: Path | None) -> int:
    """Print what axe-core finds on the pages, light, dark and at three widths; return how much of it is serious."""
    serious = 0
    shows: dict[str, Callable[[Any], Any]] = {
        '/': lambda page: (page.set_input_files('input[type=file]', plan_of(100, folder)),
                           page.wait_for_selector(DONE, timeout=60_000)),
        '/look-back': lambda page: with_log(page, logs_of(folder)[0]), '/boat': with_example,
        '/live': lambda page: None}
    for scheme in ('light', 'dark'):
        for entry in PAGES:
            page = browser.new_context(color_scheme=scheme).new_page()
            page.goto(address.rstrip('/') + entry.path)
            page.wait_for_selector('main')
            shows[entry.path](page)
            page.evaluate(script)
            for width in WIDTHS:
                page.set_viewport_size({'width': width, 'height': 900})
                page.wait_for_timeout(700)
                found = page.evaluate(f'axe.run(document, {{runOnly: {RULES}}})')['violations']
                beyond = page.evaluate('document.documentElement.scrollWidth - innerWidth')
                print(f'{entry.title}, {scheme}, {width} px: {len(found)} findings, {max(beyond, 0)} px too wide')
                for one in found:
                    serious += one['impact'] in ('serious', 'critical')
                    print(f'  {one["impact"]}: {one["help"]}: {one["nodes"][0]["html"][:160]}')
                if pictures is not None:
                    page.screenshot(path=pictures / f'{entry.module}_{scheme}_{width}.png', full_page=True)
            page.context.close()
    return serious


def main() -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--clients', type=int, default=10, help='visitors at once (%(default)s)')
    parser.add_argument('--axe', type=Path, help='axe.min.js of axe-core')
    parser.add_argument('--pictures', type=Path, help='folder for pictures of the pages that axe-core looks at')
    parser.add_argument('--only', choices=('paints', 'sliders', 'tide', 'together', 'visitors', 'axe'),
                        help='one part of it')
    args = parser.parse_args()
    binary = next(there for there in map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome')) if there)
    with tempfile.TemporaryDirectory() as own, served(Path(own)) as (address, process), sync_playwright() as started:
        browser = started.chromium.launch(executable_path=binary, args=['--no-sandbox'])
        own_folder, serious = Path(own), 0
        parts: dict[str, Callable[[], Any]] = {
            'paints': lambda: paints(browser, address), 'sliders': lambda: sliders(browser, address, own_folder),
            'tide': lambda: in_a_tide(browser, address, own_folder),
            'together': lambda: together(address, own_folder, args.clients, process),
            'visitors': lambda: visitors(browser, address, own_folder, process)}
        for name, part in parts.items():
            if args.only in (None, name):
                part()
                print(f'memory: {memories(process)}')
        if args.axe is not None and args.only in (None, 'axe'):
            serious = findings(browser, address, own_folder, args.axe.read_text(encoding='utf-8'), args.pictures)
        browser.close()
    return 1 if serious else 0


if __name__ == '__main__':
    sys.exit(main())
