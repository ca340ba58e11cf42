"""Terms of tasks as expressions (docs/quantities.md), computed for all simulations at once.

    cos(joint("hinge").qpos)   norm(site("grip").xpos - body("block").xpos)   -0.01*sum(ctrl**2)

A quantity is evaluated for many moments; here the moments are the present states of the simulations, so what looks back in time (deriv, lowpass) means nothing, and what
has another number of rows in each simulation (contacts, constraint rows) is read by sensors.
"""
from __future__ import annotations

from collections.abc import Callable

import numpy as np

from physics.fleet.fleet import Fleet
from physics.quantities.field_rows import grows, row_of
from physics.quantities.leaves import FieldLeaf, Leaf
from physics.quantities.looking_back import FORMS
from physics.quantities.quantity import Quantity, compile_quantity
from physics.quantities.syntax import Attribute, Call, ExpressionError, Index, Operation, parse


def evaluator(fleet: Fleet, look: Callable[[str], np.ndarray], text: str) -> Callable[[], np.ndarray]:
    """What computes an expression for the present states of a fleet, (n, *shape). look(name): a bound field. Raises ExpressionError with the column."""
    quantity = compiled(fleet.model, text)
    sources = [_source(fleet, look, leaf) for leaf in quantity.leaves]
    places = {leaf: place for place, leaf in enumerate(quantity.leaves)}
    return lambda: quantity.values(lambda leaf: sources[places[leaf]]())


def compiled(m, text: str) -> Quantity:
    """An expression that a fleet of the Model can compute. Raises ExpressionError with the column."""
    at, name = next(((node.at, node.name) for node in _calls(parse(text)) if node.name in FORMS), (0, ""))
    if at:
        raise ExpressionError(at, f"{name} looks back in time, which simulations of a fleet do not; observe velocities, or add a sensor")
    quantity = compile_quantity(m, text)
    for leaf in quantity.leaves:
        if not isinstance(leaf, FieldLeaf):
            raise ExpressionError(1, "contacts and constraint rows differ in number from simulation to simulation: add a sensor (touch, contact, jointlimitfrc, ...) and read sensordata")
        if leaf.of_data and grows(row_of(leaf.name)):
            raise ExpressionError(1, f"{leaf.name} has another number of rows in each simulation: add a sensor and read sensordata")
    return quantity


def _calls(node):
    """All function calls of a tree."""
    match node:
        case Call():
            yield node
            inner = node.arguments
        case Operation():
            inner = node.operands
        case Index() | Attribute():
            inner = (node.of,)
        case _:
            inner = ()
    for one in inner:
        yield from _calls(one)


def _source(fleet: Fleet, look: Callable[[str], np.ndarray], leaf: Leaf) -> Callable[[], np.ndarray]:
    """Values of a leaf in all simulations, (n, *shape)."""
    n, name = fleet.n, leaf.name
    places = None if leaf.places is None else np.array(leaf.places, np.int64)
    if leaf.of_data:
        look(name)      # written from the next step on

    def values() -> np.ndarray:
        if leaf.of_data:
            rows = look(name).reshape(n, -1)
        elif name in fleet.expanded:
            rows = fleet.expanded[name].reshape(n, -1)
        else:
            rows = np.broadcast_to(np.ravel(np.asarray(getattr(fleet.model, name))), (n, int(np.size(getattr(fleet.model, name)))))
        return np.array(rows if places is None else rows[:, places], np.float64).reshape(n, *leaf.shape)

    return values
