"""
An account of the energy, kept from `power` alone and by the rules of docs/ros_faults.md, to check what `energy` says.

It shares no code with what it checks. Where the probe has not heard a power, the number of samples in `energy` tells:
what the graph counted and the probe did not hear was lost on the way to the probe, and is not the graph's fault.
"""

import math
import re
from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

MAX_GAP_NS = 1_000_000_000
TOLERANCE = 1e-9
# The answer of reset_energy is rounded to 0.01 J and 0.01 s.
ROUNDED = 0.005 + 1e-6
NS = 1e-9
FOR_EVER = 1 << 62


class HeardPower(NamedTuple):
    """
    A message on `power`: the number of its odometry, its stamp, ns, and the mean power since the one before, W.

    NaN: not a good sample; `begins`: its velocity is known all the same, so the next power may hold since then.
    """

    number: int
    stamp: int
    total: float
    begins: bool = False


class HeardEnergy(NamedTuple):
    """A message on `energy`: the number of its odometry; J, s and counts since the last reset."""

    number: int
    total: float
    duration: float
    samples: int
    invalid_samples: int
    gaps: int
    gap_duration: float
    segments: int

    @property
    def powers(self) -> int:
        """How many powers it has counted."""
        return self.samples + self.invalid_samples


@dataclass
class Findings:
    """
    What accounts have found; those of several lives of a graph add up.

    `joules` and `graph_joules` are at the same stamps: the last of each life and reset for which both are known.
    `unheard` powers were counted by the graph, but did not reach the probe: not the graph's fault. `unseen_resets` were
    asked for of a graph that was not there, or what the probe did not hear hid them.
    """

    powers: int = 0
    energies: int = 0
    joules: float = 0.0
    graph_joules: float = 0.0
    lost_joules: float = 0.0
    lost_powers: int = 0
    skipped_odometry: int = 0
    unconfirmed: int = 0
    unheard: int = 0
    unheard_at_start: int = 0
    resets: int = 0
    unseen_resets: int = 0
    differing: int = 0
    worst: float = 0.0
    faults: list[str] = field(default_factory=list)

    def add(self, other: 'Findings') -> None:
        """Add those of another life."""
        for name, value in vars(other).items():
            mine = getattr(self, name)
            setattr(self, name, max(mine, value) if name == 'worst' else mine + value)


class Integral:
    """Joules of means since the good sample before, with the gaps and segments that docs/ros_faults.md describes."""

    def __init__(self) -> None:
        """Begin with nothing."""
        self._good: HeardPower | None = None
        self._stamp: int | None = None
        self.restart()

    def restart(self) -> None:
        """Count from zero; the next sample joins on to the last one."""
        self.joules = 0.0
        self.duration_ns = self.gap_ns = self.samples = self.invalid_samples = self.gaps = 0
        self.segments = 1

    @property
    def powers(self) -> int:
        """How many powers it has counted."""
        return self.samples + self.invalid_samples

    def take(self, power: HeardPower) -> None:
        """Integrate up to one more power."""
        if self._stamp is not None and power.stamp < self._stamp:
            self.segments += 1
            self._good = None
        self._stamp = power.stamp
        known = math.isfinite(power.total)
        self.samples, self.invalid_samples = self.samples + known, self.invalid_samples + (not known)
        step = 0 if self._good is None else power.stamp - self._good.stamp
        begins = power.begins and (self._good is None or step > MAX_GAP_NS)
        if not known and not begins:
            return
        self._good = power
        if step > MAX_GAP_NS:
            self.gaps += 1
            self.gap_ns += step
        elif step and known:
            self.duration_ns += step
            self.joules += power.total * (step * NS)

    def skip_to(self, energy: HeardEnergy, power: HeardPower | None) -> None:
        """Go on from what the graph says, where not all is known that led to it."""
        self.joules, self.samples, self.invalid_samples = energy.total, energy.samples, energy.invalid_samples
        self.duration_ns, self.gap_ns = round(energy.duration / NS), round(energy.gap_duration / NS)
        self.gaps, self.segments = energy.gaps, energy.segments
        if power is not None:
            self._stamp = power.stamp
            self._good = power if math.isfinite(power.total) or power.begins else self._good

    def differences(self, energy: HeardEnergy) -> list[str]:
        """Return in words where the graph's energy is another."""
        pairs = (('total', self.joules, energy.total), ('duration', self.duration_ns * NS, energy.duration),
                 ('gap_duration', self.gap_ns * NS, energy.gap_duration), ('samples', self.samples, energy.samples),
                 ('invalid_samples', self.invalid_samples, energy.invalid_samples), ('gaps', self.gaps, energy.gaps),
                 ('segments', self.segments, energy.segments))
        return [f'{name} is {graph!r}, by the account {own!r}' for name, own, graph in pairs
                if not abs(own - graph) <= TOLERANCE * max(1.0, abs(own))]


class Account:
    """One life of one energy graph: from the first power that is heard of it to the last."""

    def __init__(self) -> None:
        """Begin with nothing heard."""
        self.findings = Findings()
        self.answered = -1
        self.resets_asked = 0
        self._disturbed_until = -1
        self._complete_from = FOR_EVER
        self._integral = Integral()
        self._powers: deque[HeardPower] = deque()
        self._energies: deque[HeardEnergy] = deque()
        self._compared: HeardEnergy | None = None
        self._compared_joules = 0.0
        self._adrift = False
        self._inactive = False
        self._ends: deque[tuple[float, float]] = deque()
        self._answers: deque[str] = deque()
        self._unheard_when_asked = 0
        self._nothing_when_asked = False

    def hear_power(self, power: HeardPower) -> None:
        """Take a message on `power`; an odometry without one was skipped, where all are expected to be answered."""
        if self.answered > self._complete_from:
            self._note_skipped(power.number)
        self.answered = power.number
        self.findings.powers += 1
        self._powers.append(power)
        self._compare()

    def _note_skipped(self, number: int) -> None:
        """Count the odometry between the last answered one and this."""
        skipped = number - self.answered - 1
        self.findings.skipped_odometry += skipped
        if skipped:
            self._say(f'no power for {skipped} odometries after number {self.answered}')

    def hear_energy(self, energy: HeardEnergy) -> None:
        """Take a message on `energy`; it waits for the power that it is about."""
        self.findings.energies += 1
        self._energies.append(energy)
        self._compare()

    def disturb(self, accumulator: bool = False) -> None:
        """Expect that odometry is skipped from now on, and powers by an accumulator that is deactivated."""
        self._disturbed_until = self._complete_from = FOR_EVER
        # An accumulator that was activated again may not have been heard yet when the next disturbance comes.
        self._inactive = self._inactive or accumulator

    def expect_answers(self, number: int) -> None:
        """Expect that odometry after that number is answered again; not yet all of it."""
        self._disturbed_until = number

    def expect_all(self, number: int) -> None:
        """
        Expect that all odometry is answered after that number.

        A graph that was started anew, or was not heard yet, may have more waiting than its queues hold.
        """
        self._complete_from = number

    @property
    def is_catching_up(self) -> bool:
        """Whether the graph answers again, and it was not yet said from where on all is expected."""
        return self.undisturbed and self._complete_from == FOR_EVER

    @property
    def undisturbed(self) -> bool:
        """Whether the graph has answered since it was last disturbed."""
        return self.answered > self._disturbed_until

    @property
    def in_step(self) -> bool:
        """Whether the last energy has counted just the powers that were heard."""
        return self._compared is not None and not self._adrift

    @property
    def waiting(self) -> int:
        """How many powers wait for the energy that they are in."""
        return len(self._powers)

    def ask_reset(self) -> None:
        """Expect a reset of the energy."""
        self.resets_asked += 1
        self._unheard_when_asked = self._unheard
        self._nothing_when_asked = self.findings.energies == 0

    @property
    def _unheard(self) -> int:
        return self.findings.unheard + self.findings.unheard_at_start

    def give_up_resets(self) -> None:
        """Expect no reset any more; an answer without one is a fault if there was energy, and all powers heard."""
        self.findings.unseen_resets += self.resets_asked
        if self._answers and not self._nothing_when_asked and self._unheard == self._unheard_when_asked:
            self.findings.differing += 1
            self._say(f'reset_energy answers {self._answers[0]!r}, and the energy goes on')
        self.resets_asked = 0
        self._ends.clear()
        self._answers.clear()

    def hear_reset(self, message: str) -> None:
        """Take the answer of reset_energy."""
        self._answers.append(message)
        self._check_resets()

    def close(self) -> Findings:
        """Return what was found in this life."""
        self._end_count()
        self.findings.unconfirmed = self.waiting
        return self.findings

    def _compare(self) -> None:
        while self._energies and self._energies[0].number <= self.answered:
            energy = self._energies.popleft()
            steps = []
            while self._powers and self._powers[0].number <= energy.number:
                steps.append(self._powers.popleft())
            self._advance(energy, steps)

    def _advance(self, energy: HeardEnergy, steps: list[HeardPower]) -> None:
        """Integrate the powers up to an energy, and compare; what the graph has counted tells which it took."""
        counted = energy.powers - self._integral.powers
        # What the graph counted before the probe heard it may be hidden by a reset, yet its next power joins on to it.
        is_hidden = self._compared is None and self.resets_asked > 0
        if counted == len(steps) and not self._adrift and not is_hidden:
            self._take(steps)
        elif self.resets_asked and counted < len(steps) and energy.powers <= len(steps):
            self._take(steps[:len(steps) - energy.powers])
            self._reset()
            self._take(steps[len(steps) - energy.powers:])
        elif self._inactive and 0 <= counted < len(steps):
            self._inactive = False
            self._take(steps[len(steps) - counted:])
        else:
            self._go_on_from(energy, steps, counted - len(steps))
            return
        differences = self._integral.differences(energy)
        if differences:
            self.findings.differing += 1
            self._say(f'at odometry {energy.number} {"; ".join(differences)}')
        own = self._integral.joules
        self.findings.worst = max(self.findings.worst, abs(own - energy.total) / max(1.0, abs(own)))
        self._compared = energy
        self._compared_joules = own

    def _go_on_from(self, energy: HeardEnergy, steps: list[HeardPower], unheard: int) -> None:
        """Say whose loss it is that the counts differ, and take the graph's energy as the new beginning."""
        self._adrift = unheard > 0
        if unheard > 0 and self._compared is None:
            self.findings.unheard_at_start += unheard
        elif unheard > 0:
            self.findings.unheard += unheard
        elif unheard < 0:
            self._take(steps)
            self.findings.lost_powers -= unheard
            self.findings.lost_joules += self._integral.joules - energy.total
            self._say(f'at odometry {energy.number} {-unheard} powers were not counted; '
                      f'{self._integral.joules - energy.total:.6g} J are lost')
        self._integral.skip_to(energy, steps[-1] if steps else None)
        self._compared, self._compared_joules = energy, energy.total

    def _take(self, steps: list[HeardPower]) -> None:
        for power in steps:
            self._integral.take(power)

    def _reset(self) -> None:
        self.resets_asked -= 1
        self.findings.resets += 1
        self._ends.append((self._integral.joules, self._integral.duration_ns * NS))
        self._check_resets()
        self._end_count()
        self._integral.restart()

    def _end_count(self) -> None:
        """Close the sums of a life or a reset, at the last stamp for which both are known."""
        if self._compared is not None:
            self.findings.joules += self._compared_joules
            self.findings.graph_joules += self._compared.total
            self.findings.lost_joules += self._compared_joules - self._compared.total

    def _check_resets(self) -> None:
        while self._ends and self._answers:
            (joules, duration), answer = self._ends.popleft(), self._answers.popleft()
            found = re.match(r'(\S+) J in (\S+) s until here', answer)
            if found is None or abs(float(found[1]) - joules) > ROUNDED or abs(float(found[2]) - duration) > ROUNDED:
                self.findings.differing += 1
                self._say(f'reset_energy answers {answer!r}, by the account {joules!r} J in {duration!r} s')

    def _say(self, fault: str) -> None:
        if len(self.findings.faults) < 5:
            self.findings.faults.append(fault)
