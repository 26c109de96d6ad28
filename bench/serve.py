"""
The pages of `usv-energy serve` as a browser sees them: python3 bench/serve.py [--clients 10] [--axe axe.min.js]

Prints how long the server takes to begin, the first paint, how long a slider's answer takes for plans of 100 and
500 ways, the first and the whole one, alone and with other browsers at once, and the server's memory. With `--axe`, the
script of axe-core (`npm pack axe-core`), what it finds on each page, in light and dark; exit status 1 if it is serious.
Needs playwright and a Chromium.
"""

import argparse
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402

from usv_energy.cli.main import main as usv_energy  # noqa: E402
from usv_energy.web.frame import PAGES  # noqa: E402

DONE = '.outcome:is(.go, .no, .unsure)[aria-busy=false]'
SPEED = 'Speed over ground, all legs, kn'
RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']
BOATS = 'blueboat', 'lutra_prop'
REPEATS = 8
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
    usv_energy(['mission', 'make', 'lawnmower', '--size', '200', str(5 * ways), '--spacing', '10', '--angle', 'E',
                '--at', '45.6073', '9.5524', '--speed', '0.7', '--out', str(path)])
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
    """Return the memory of a process, MB, that is its own."""
    text = Path(f'/proc/{process}/status').read_text(encoding='utf-8')
    return int(re.findall(r'VmRSS:\s+(\d+)', text)[0]) / 1000.0


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


def together(browser: Any, address: str, folder: Path, clients: int) -> None:
    """Print how long answers take while other browsers move their sliders, too."""
    plan = plan_of(100, folder)
    pages = [with_plan(browser, address, plan, 'lutra_prop') for _ in range(clients)]
    move = MOVE.strip()
    for number, page in enumerate(pages):
        page.evaluate(f'''() => {{ window.moved = (async () => {{
            const move = {move}, found = [];
            for (let k = 1; k <= 6; k++) {{
              found.push((await move(["{SPEED}", (1.1 + 0.1 * k).toFixed(1)]))[0]);
              await new Promise((resolve) => setTimeout(resolve, 700 + 50 * {number}));
            }}
            return found; }})(); }}''')
    times = [one for page in pages for one in page.evaluate('() => window.moved')]
    print(f'{clients} browsers at once, 100 ways, lutra_prop: a slider is answered after {median(times)}')
    for page in pages:
        page.context.close()


def findings(browser: Any, address: str, folder: Path, script: str) -> int:
    """Print what axe-core finds on the pages; return how many of it are serious or critical."""
    serious = 0
    for scheme in ('light', 'dark'):
        context = browser.new_context(viewport={'width': 1400, 'height': 900}, color_scheme=scheme)
        page = context.new_page()
        for entry in PAGES:
            page.goto(address.rstrip('/') + entry.path)
            page.wait_for_selector('main')
            if entry.path == '/':
                page.set_input_files('input[type=file]', plan_of(100, folder))
                page.wait_for_selector(DONE, timeout=60_000)
            page.evaluate(script)
            found = page.evaluate(f'axe.run(document, {{runOnly: {RULES}}})')['violations']
            print(f'{entry.title}, {scheme}: {len(found)} findings of axe-core')
            for one in found:
                serious += one['impact'] in ('serious', 'critical')
                print(f'  {one["impact"]}: {one["help"]}: {one["nodes"][0]["html"][:120]}')
        context.close()
    return serious


def main() -> int:
    """Measure; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--clients', type=int, default=10, help='browsers at once (%(default)s)')
    parser.add_argument('--axe', type=Path, help='axe.min.js of axe-core')
    args = parser.parse_args()
    binary = next(there for there in map(shutil.which, ('chromium', 'chromium-browser', 'google-chrome')) if there)
    with tempfile.TemporaryDirectory() as own, served(Path(own)) as (address, process), sync_playwright() as started:
        browser = started.chromium.launch(executable_path=binary, args=['--no-sandbox'])
        paints(browser, address)
        print(f'memory of the server: {memory(process):.0f} MB')
        sliders(browser, address, Path(own))
        print(f'memory of the server: {memory(process):.0f} MB')
        together(browser, address, Path(own), args.clients)
        print(f'memory of the server: {memory(process):.0f} MB')
        serious = 0 if args.axe is None else findings(browser, address, Path(own),
                                                      args.axe.read_text(encoding='utf-8'))
        browser.close()
    return 1 if serious else 0


if __name__ == '__main__':
    sys.exit(main())
