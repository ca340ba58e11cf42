"""A policy that drives in a command without a window: its options, and joining it with the run and its devices."""
from __future__ import annotations

import argparse
import sys


def add_policy_arguments(parser: argparse.ArgumentParser, positive) -> None:
    """Which policy, and how often it is asked. positive: reader of a number above 0."""
    parser.add_argument("--policy", default=None, metavar="COMMAND", help="have a process drive: a Python file with arguments, a command line, or HOST:PORT (docs/demonstrations.md); "
                        "clutches of --source or --mapping take over")
    parser.add_argument("--policy-rate", type=positive, default=50.0, metavar="STATES", help="states that it is given per simulated second (50)")


def started(arguments, runner, session, hub, on_event):
    """(the Policy that the command line names, its Steering), begun, taken over from by the drives of a Hub; on_event(name): it says what is to happen to the episode."""
    from app.demonstrations.policy.policy import Policy
    from app.demonstrations.steering import Steering
    from app.inputs.intervention import Intervention

    steering = Steering(runner, session)
    hub.intervention = Intervention(steering)
    policy = Policy(runner, steering, arguments.policy, arguments.policy_rate, on_event=on_event)
    policy.start()
    return policy, steering


def no_devices(arguments) -> bool:
    """Whether a policy drives alone: nothing was said of devices."""
    return arguments.policy is not None and arguments.mapping is None and not arguments.source


class Told:
    """Says who drives and what is wrong, as that changes."""

    def __init__(self, policy, steering):
        self._policy, self._steering, self._last = policy, steering, None

    def look(self) -> bool:
        """Say what is new; whether the policy may still answer."""
        now = self._policy.phase, self._steering.driver, self._policy.problem
        if now != self._last:
            self._last = now
            print(f"policy {now[0]}, {now[1]} drives" + (f"\n{now[2]}" if now[2] else ""), file=sys.stderr, flush=True)
        return self._policy.alive
