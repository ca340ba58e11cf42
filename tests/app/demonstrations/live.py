"""A run in a thread of its own, for tests of what is said to it while it goes on."""
import time

import physics
from physics.runtime import commands as c
from physics.runtime.runner import Runner
from physics.runtime.simulation import Simulation
from tests.app.demonstrations.made import TEXT

PATIENCE = 30.0


class Live:
    """As fast as possible, paused at first. name and text of its model."""

    def __init__(self, text: str = TEXT):
        physics.ensure_kernels()
        self.runner, self.text = Runner(Simulation(ready=True)), text
        self.model = physics.load_string(text)
        self.runner.start()

    def open(self) -> None:
        """Have the model run."""
        self.runner.send(c.SwapModel(self.model, document=1))
        self.runner.send(c.SetSpeed(None))

    def wait(self, condition, what: str = ""):
        """Until it holds; what it gave."""
        end = time.monotonic() + PATIENCE
        while not (found := condition()):
            assert time.monotonic() < end, what or "it did not happen"
            time.sleep(0.002)
        return found

    def visit(self, look):
        """What look(simulation) gives in the physics thread."""
        answers = []
        self.runner.send(c.VisitRun(lambda sim: answers.append((look(sim),))))
        return self.wait(lambda: answers)[0][0]

    def settle(self) -> None:
        """Until all that was sent is done."""
        self.visit(lambda sim: None)

    def step(self, n: int) -> None:
        """Take steps, and be paused behind them."""
        self.runner.send(c.Step(n))
        self.settle()

    def close(self) -> None:
        """End its thread."""
        self.runner.stop()
