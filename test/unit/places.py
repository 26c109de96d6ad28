"""Where the repository and the real data lie (USV_ENERGY_DATA, default ../shared/data); one home for both."""

import os
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get('USV_ENERGY_DATA', ROOT.parent / 'shared' / 'data'))
