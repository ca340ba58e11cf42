"""What runs in a thread for the panel: tests on a copy of the model, in the state of a moment. No Qt."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from physics.model.data import Data
from physics.model.model import Model
from physics.model.model_copy import live_values, model_beside, put_live_values
from physics.model.state_fields import State
from physics.tuning.friction import Slope, slope_test
from physics.tuning.friction_compare import Slipping, slippings
from physics.tuning.parameter_set import ParameterSet
from physics.tuning.slip import Creep, SlipWindow, slip_of
from physics.tuning.target import Target

Stop = Callable[[], bool]


class Moment:
    """A Model's values and the state of a Snapshot, taken at once; the copy is made in the thread that works with it."""

    def __init__(self, m: Model, snapshot):
        self._model = m
        self._values = {name: value for name, value in live_values(m).items() if name != "vis"}
        self.state = State.of(snapshot)

    def copy(self) -> Model:
        """The Model as it was at that moment."""
        made = model_beside(self._model)
        put_live_values(made, self._values)
        return made


def tilt(moment: Moment, target: Target, heading: float, stop: Stop) -> Slope:
    """The slope at which the contact begins to slide. Raises ValueError, GivenUp."""
    return slope_test(moment.copy(), moment.state, target, heading, stop=stop)


def compare(moment: Moment, target: Target, sets: Sequence[ParameterSet], heading: float, stop: Stop) -> Iterator[Slipping]:
    """Each set on one slope, as it comes. Raises ValueError, GivenUp."""
    yield from slippings(moment.copy(), moment.state, target, sets, heading, stop=stop)


class Slips:
    """A Follower (app/panels/tuner/replayed_states.py) of a contact's slipping."""

    def __init__(self, target: Target):
        self._target, self._window = target, SlipWindow()
        self._model: Model | None = None

    def open(self, m: Model) -> None:
        """Of this Model."""
        self._model = m

    def clear(self) -> None:
        """Begin anew."""
        self._window.clear()

    def add(self, d: Data) -> None:
        """One more state."""
        self._window.add(float(d.time), slip_of(self._model, d, self._target))

    def found(self) -> Creep | None:
        """What there was in the last second."""
        return self._window.creep()
