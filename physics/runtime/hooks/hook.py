"""A function of the user's that the physics thread calls, and the set of all that a run has.

    on_load(m, d)       a Model has begun to run, or the function is new       before_step, control (m, d)   before each step, in this order
    on_reset(m, d)      the state is back at a start or a keyframe             after_step(m, d)              after it

What else there is (keys, what is selected, buttons) is called once each time by commands.RunHook.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable

from physics.runtime import events
from physics.runtime.hooks.call_guard import CallGuard, Stopped
from physics.runtime.hooks.failure import Failure, failure_of

BEFORE, AFTER = ("before_step", "control"), ("after_step",)
SLOW = 0.05     # s: a call that takes longer is told, once
SHARE = 0.05    # of the newest call in the mean


class Hook:
    """owner: whose it is, in words ('wave.py'); kind: what it is called for; files: in which its lines are looked for when it fails; takes: how many arguments.

    failure: why it is off, None while it is on. calls, mean [s]: what it has cost. Written by the thread that calls it, read by any.
    """

    __slots__ = ("calls", "failure", "files", "function", "kind", "mean", "owner", "takes", "told")

    def __init__(self, owner: str, kind: str, function: Callable, files: Iterable[str] = (), takes: int = 2):
        self.owner, self.kind, self.function, self.files, self.takes = owner, kind, function, tuple(files), takes
        self.failure: Failure | None = None
        self.calls, self.mean, self.told = 0, 0.0, False

    def __repr__(self) -> str:
        return f"<hook {self.kind} of {self.owner}>"


class Hooks:
    """All hooks of a run. One that fails is not called again: a new set is installed when its text has changed. guard: knows which is being called."""

    def __init__(self, hooks: Iterable[Hook] = (), guard: CallGuard | None = None):
        self.all = tuple(hooks)
        self.guard = guard or CallGuard()
        self._choose()

    def _choose(self) -> None:
        on = [hook for hook in self.all if hook.failure is None]
        self.before = tuple(hook for kind in BEFORE for hook in on if hook.kind == kind)
        self.after = tuple(hook for hook in on if hook.kind in AFTER)
        self.stepping = bool(self.before or self.after)

    def of(self, kind: str) -> tuple[Hook, ...]:
        """Those of a kind that are on."""
        return tuple(hook for hook in self.all if hook.kind == kind and hook.failure is None)

    def call(self, hook: Hook, tell: Callable, *arguments, function: Callable | None = None) -> bool:
        """Call one, or in its place a function that does; False where it failed: that is told (tell, as Simulation.tell), and it is off from then on."""
        try:
            seconds = self.guard.call(hook, function or hook.function, *arguments)
        except BaseException as error:   # SystemExit too: the thread must live on
            try:
                self.guard.settle()
            except Stopped:
                self.guard.settle()
            self._failed(hook, error, tell)
            return False
        self._count(hook, seconds, tell)
        return True

    def around(self, hooks: tuple[Hook, ...], tell: Callable, m, d) -> None:
        """Call these with (m, d), as `call` does: at every step, so what CallGuard.call does stands here once more."""
        guard, clock = self.guard, self.guard.clock
        for hook in hooks:
            guard.since = begun = clock()
            guard.called = hook
            try:
                try:
                    hook.function(m, d)
                finally:
                    guard.called = None
                    if guard.sent:
                        guard.take_back()
            except BaseException as error:
                try:
                    guard.settle()
                except Stopped:
                    guard.settle()
                self._failed(hook, error, tell)
            else:
                seconds = clock() - begun
                if seconds < SLOW and hook.calls:   # as _count, without a call
                    hook.calls += 1
                    hook.mean += (seconds - hook.mean) * SHARE
                else:
                    self._count(hook, seconds, tell)

    @staticmethod
    def _count(hook: Hook, seconds: float, tell: Callable) -> None:
        hook.calls += 1
        hook.mean += (seconds - hook.mean) * (SHARE if hook.calls > 1 else 1.0)
        if seconds > SLOW and not hook.told:
            hook.told = True
            tell(events.HOOK_SLOW, f"{hook.kind} of {hook.owner} took {1e3 * seconds:.0f} ms in one call", hook=hook, seconds=seconds)

    def _failed(self, hook: Hook, error: BaseException, tell: Callable) -> None:
        hook.failure = failure = failure_of(error, hook.files)
        self._choose()
        was = "was stopped" if isinstance(error, Stopped) else "failed and is off until its file changes"
        tell(events.HOOK_FAILED, f"{hook.kind} of {hook.owner} {was}: {failure}", hook=hook, failure=failure)
