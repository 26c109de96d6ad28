"""The graphs of a soak: a player of odometry, an ear at each graph with its account, and what disturbs one of them."""

import math
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState
from nav_msgs.msg import Odometry
from probe import DEEP
from rclpy.serialization import deserialize_message
from session import GraphProcess
from soak_account import Account, Findings, HeardEnergy, HeardPower
from soak_bag import Bag, plays
from std_srvs.srv import Trigger

from usv_energy.ros.messages import convert
from usv_energy_msgs.msg import EnergyStamped, PowerStamped

# The player waits where a graph is so many odometries behind; it holds 1000, and then drops the oldest.
BEHIND = 300
# What is due at most, s of wall time, after something else had the processor.
CATCH_UP = 0.25
COME_BACK = 120.0
# After so long, s, no reset is expected any more: a graph that is not found yet, or was killed, does not hear of it.
PATIENCE = 60.0
SILENCE = 0.5
KEPT = 20_000
# How long a node stays deactivated, s of the bag's time.
DEACTIVATED = 20.0
ACCUMULATOR = 'energy_accumulator'
DEACTIVATED_IN_TURNS = ('power_calculator', ACCUMULATOR, 'state_adapter', 'current_client')


class Player:
    """Publishes odometry at so many times real time by the wall clock; it knows which stamp was the how-manieth."""

    def __init__(self, node: Any, topic: str, bag: Bag, rate: float) -> None:
        """Begin when `begin` is called."""
        self._publisher = node.create_publisher(Odometry, topic, DEEP)
        self._plays = plays(bag)
        self._per_second = rate / bag.period
        self._numbers: dict[int, int] = {}
        self._due = 0.0
        self._before = 0.0
        self.period = bag.period
        self.index = -1
        self.loop = 0
        self._last_published = 0.0

    @property
    def readers(self) -> int:
        """How many subscriptions there are to the odometry."""
        return int(self._publisher.get_subscription_count())

    def begin(self) -> None:
        """Start the clock."""
        self._before = self._last_published = time.monotonic()

    @property
    def played(self) -> float:
        """How much of the bag's time was played, s."""
        return (self.index + 1) * self.period

    def number_of(self, stamp: int) -> int | None:
        """Return the number of the odometry with a stamp; None where it is none of ours, or long ago."""
        return self._numbers.get(stamp)

    def play(self, behind: int) -> None:
        """
        Publish what is due; nothing while a graph is too far behind.

        :param behind: How far, odometries.
        :raises RuntimeError: If that takes too long.
        """
        now = time.monotonic()
        passed, self._before = now - self._before, now
        if behind > BEHIND:
            if now - self._last_published > COME_BACK:
                raise RuntimeError(f'{behind} odometries were not answered for {COME_BACK:.0f} s')
            return
        self._last_published = now
        self._due = min(self._due + passed * self._per_second, CATCH_UP * self._per_second)
        for _ in range(min(int(self._due), BEHIND)):
            self._due -= 1.0
            self.index += 1
            self.loop, stamp, data = next(self._plays)
            self._numbers[stamp] = self.index
            if len(self._numbers) > KEPT:
                del self._numbers[next(iter(self._numbers))]
            self._publisher.publish(data)


class Ear:
    """Hears power and energy of a graph and keeps the account; asks for resets."""

    def __init__(self, node: Any, namespace: str, player: Player) -> None:
        """Listen; messages are only put aside in the thread that spins the node."""
        self._player = player
        self._heard: deque[tuple[type, bytes]] = deque()
        self._answers: deque[tuple[Account, Any]] = deque()
        self._found = Findings()
        self.account = Account()
        self._asked = 0.0
        self.lives = 1
        self._subscriptions = [
            node.create_subscription(kind, f'{namespace}/{topic}', self._put_aside(kind), DEEP, raw=True)
            for kind, topic in ((PowerStamped, 'power'), (EnergyStamped, 'energy'))]
        self._resetter = node.create_client(Trigger, f'{namespace}/reset_energy')

    def _put_aside(self, kind: type) -> Callable[[bytes], None]:
        return lambda data: self._heard.append((kind, data))

    @property
    def connected(self) -> bool:
        """Whether it has found the graph."""
        return all(subscription.get_publisher_count() > 0 for subscription in self._subscriptions)

    def listen(self) -> None:
        """Enter what was heard into the account."""
        while self._heard:
            kind, data = self._heard.popleft()
            number = self._player.number_of(convert.header_nanoseconds(data))
            if number is None:
                continue
            msg = deserialize_message(data, kind)
            if kind is PowerStamped:
                known = math.isfinite(msg.relative_velocity.linear.x)
                self.account.hear_power(HeardPower(number, convert.nanoseconds(msg.header.stamp), msg.total, known))
            else:
                self.account.hear_energy(HeardEnergy(number, *(getattr(msg, name) for name in HeardEnergy._fields[1:])))
        if self.account.is_catching_up:
            self.account.expect_all(self._player.index)
        while self._answers:
            account, answer = self._answers.popleft()
            account.hear_reset(answer.message)
        if not self.no_reset_awaited and time.monotonic() > self._asked + PATIENCE:
            self.account.give_up_resets()

    def behind(self) -> int:
        """Return how many odometries wait for their power; 0 where the graph is disturbed."""
        return self._player.index - self.account.answered if self.account.undisturbed else 0

    def is_complete(self) -> bool:
        """Return whether everything that was played is answered and accounted for."""
        return self.account.answered == self._player.index and self.account.waiting == 0

    def reset(self) -> bool:
        """Ask for a reset, if there is somebody to ask; return whether there is."""
        if not self._resetter.service_is_ready():
            return False
        account, self._asked = self.account, time.monotonic()
        account.ask_reset()
        self._resetter.call_async(Trigger.Request()).add_done_callback(
            lambda future: self._answers.append((account, future.result())))
        return True

    @property
    def no_reset_awaited(self) -> bool:
        """Whether every reset that was asked for is in the account."""
        return self.account.resets_asked == 0

    def begin_life(self) -> None:
        """Keep a new account, of a graph that was started anew."""
        self.listen()
        self._found.add(self.account.close())
        self.account = Account()
        self.lives += 1

    def findings(self) -> Findings:
        """Return what was found in all lives until now; to be asked for once."""
        self._found.add(self.account.close())
        return self._found


class DisturbedGraph:
    """A graph that is killed and started again, and whose nodes are deactivated and activated; one thing at a time."""

    def __init__(self, node: Any, namespace: str, player: Player, start: Callable[[], GraphProcess]) -> None:
        """Start it."""
        self._namespace, self._player, self._start = namespace, player, start
        self._life_cycles = {name: node.create_client(ChangeState, f'{namespace}/{name}/change_state')
                             for name in DEACTIVATED_IN_TURNS}
        self._doing: Iterator[tuple[str, Callable[[], bool]]] | None = None
        self._awaited: tuple[str, Callable[[], bool]] = ('', lambda: True)
        self._deadline = 0.0
        self.kills = 0
        self.deactivations = 0
        self.ear = Ear(node, namespace, player)
        self.process = start()

    @property
    def busy(self) -> bool:
        """Whether it is being disturbed."""
        return self._doing is not None

    def kill(self) -> None:
        """Kill its process and start it again."""
        self._doing = self._kill()
        self._next()

    def deactivate(self) -> None:
        """Deactivate a node for a while, each in its turn; in every second round clean up those that count nothing."""
        turn, number = divmod(self.deactivations, len(DEACTIVATED_IN_TURNS))
        name = DEACTIVATED_IN_TURNS[number]
        self._doing = self._deactivate(name, clean_up=turn % 2 == 1 and name != ACCUMULATOR)
        self._next()

    def go_on(self) -> None:
        """
        Do the next step of a disturbance, if what it waits for is so.

        :raises RuntimeError: If that does not come.
        """
        what, is_so = self._awaited
        if self._doing is None:
            return
        if is_so():
            self._next()
        elif time.monotonic() > self._deadline:
            raise RuntimeError(f'{self._namespace}: not within {COME_BACK:.0f} s: {what}')

    def _next(self) -> None:
        assert self._doing is not None
        step = next(self._doing, None)
        self._deadline = time.monotonic() + COME_BACK
        if step is None:
            self._doing = None
        else:
            self._awaited = step

    def _in_step(self) -> tuple[str, Callable[[], bool]]:
        """Return what a disturbance waits for: one that began before it would be taken for a late start."""
        return 'an energy of just the powers that were heard', lambda: self.ear.account.in_step

    def _kill(self) -> Iterator[tuple[str, Callable[[], bool]]]:
        yield self._in_step()
        self.ear.account.disturb()
        self.process.kill()
        self.kills += 1
        quiet = time.monotonic() + SILENCE
        yield 'its last messages', lambda: time.monotonic() > quiet
        self.ear.begin_life()
        self.ear.account.expect_answers(-1)
        self.process = self._start()
        yield 'power after a new start', lambda: self.ear.account.undisturbed

    def _deactivate(self, name: str, clean_up: bool) -> Iterator[tuple[str, Callable[[], bool]]]:
        account = self.ear.account
        yield self._in_step()
        account.disturb(accumulator=name == ACCUMULATOR)
        self.deactivations += 1
        yield from self._transition(name, Transition.TRANSITION_DEACTIVATE)
        end = self._player.played + DEACTIVATED
        yield 'odometry for its other nodes', lambda: self._player.played >= end
        if clean_up:
            yield from self._transition(name, Transition.TRANSITION_CLEANUP)
            yield from self._transition(name, Transition.TRANSITION_CONFIGURE)
        begin = self._player.index
        yield from self._transition(name, Transition.TRANSITION_ACTIVATE)
        account.expect_answers(begin)
        yield f'power after {name} was activated', lambda: account.undisturbed

    def _transition(self, name: str, transition: int) -> Iterator[tuple[str, Callable[[], bool]]]:
        client = self._life_cycles[name]
        yield f'the life cycle of {name}', client.service_is_ready
        future = client.call_async(ChangeState.Request(transition=Transition(id=transition)))
        yield f'transition {transition} of {name}', future.done
        if not future.result().success:
            raise RuntimeError(f'{self._namespace}/{name} refused transition {transition}')
