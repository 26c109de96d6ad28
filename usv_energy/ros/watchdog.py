"""A timer that says that something did not come in time."""

from collections.abc import Callable

from rclpy.constants import S_TO_NS
from rclpy.timer import Timer


class Watchdog:
    """A timer that calls once, unless it is set again or cleared in time."""

    def __init__(self, callback: Callable[[], None], patience: Callable[[], float]) -> None:
        """Take what to call, and what tells after how long, s; the timer comes after."""
        self.timer: Timer | None = None
        self._callback = callback
        self._patience = patience
        self._period = patience()

    def set(self) -> None:
        """Begin waiting, anew if it was waiting."""
        if self.timer is not None:
            if self._patience() != self._period:
                self._period = self._patience()
                self.timer.timer_period_ns = self._period * S_TO_NS
            self.timer.reset()

    def clear(self) -> None:
        """Wait no longer."""
        if self.timer is not None:
            self.timer.cancel()

    def stop(self) -> None:
        """Never wait again."""
        self.clear()
        self.timer = None

    def bark(self) -> None:
        """Call, once."""
        self.clear()
        self._callback()
