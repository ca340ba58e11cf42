"""The numbers of a DC motor, by the rules of the element dcmotor."""
from __future__ import annotations

import numpy as np

from physics.schema.numbers import format_floats
from physics.spec.actuator_shortcuts import Actuators
from physics.spec.defaults import Resolver
from physics.spec.element import Element, new_id


def settings(**given):
    """Gain, bias and dynamics parameters. given: attributes of the element dcmotor; zeros say nothing. Raises ValueError."""
    attrs = {name: format_floats(value) for name, value in given.items() if np.any(np.asarray(value))}
    motor = Element(new_id(), "dcmotor", {**attrs, "joint": "j"})
    wrong: list[str] = []
    root = Element(new_id(), "mujoco", children=(Element(new_id(), "actuator", children=(motor,)),))
    found = Actuators(Resolver(root), lambda _element, what, _hint, _attribute: wrong.append(what)).settings(motor)
    if wrong:
        raise ValueError(wrong[0])
    return found
