
import numpy as np
from analyze_files import BOAT, RUN

from usv_energy.logs.read_log import read_log
from usv_energy.sim.run_files import read_samples
from usv_energy.studies.analyze.analysed_log import analysed_log
from usv_energy.studies.analyze.report_folder import write_log_samples


def test_samples_are_written_as_a_run_writes_them(folder, tmp_path):
    analysed = analysed_log(read_log(folder), BOAT)
    write_log_samples(analysed, tmp_path / 'samples.csv')
    rows = read_samples(tmp_path / 'samples.csv')
    wanted = np.array([[row.time, row.x, row.motion.u, row.power.total, row.energy] for row in RUN.rows])
    found = np.array([[row.time, row.x, row.motion.u, row.power.total, row.energy] for row in rows])
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)
