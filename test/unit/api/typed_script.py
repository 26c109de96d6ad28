"""A user's script: right for mypy but for its last line. Nothing runs it."""

import usv_energy


def cost(names: list[str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for name in names:
        study: usv_energy.RangeResult = usv_energy.range_study(name, current=(0.2, 0.0), energy_wh=100.0)
        found[name] = study.best.energy_per_meter
        mission = usv_energy.mission('survey.plan', usv_energy.fit_out(name, battery='4S18Ah'))
        assert mission.verdict in ('go', 'no_go')
        total: float = usv_energy.run_scenario('3', boat=name).energy.total
        found[name] += total + usv_energy.power(name, u=1.0).total
    return found


print(cost(['blueboat']))
usv_energy.read_boat(3.0)  # type: ignore[arg-type]  # Wrong: without an error mypy calls the note unused.
