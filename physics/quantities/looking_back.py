"""Functions of time: what they are at a moment depends on the moments before.

    deriv(x)          change since the moment before, by time; NaN at the first moment and where time does not go on
    lowpass(x, f)     first-order low-pass filter with corner frequency f [Hz]; it begins anew where time does not go on

The filter is the exact answer of y' = 2 pi f (x - y) to an x that keeps its value over each interval, so it does not depend on how moments are spaced.
"""
from __future__ import annotations

from types import MappingProxyType

import numpy as np

from physics.quantities import units
from physics.quantities.node import Memory, Node, Values

FORMS = MappingProxyType({"deriv": ("deriv(x)", "rate of change"), "lowpass": ("lowpass(x, f)", "x through a first-order low-pass filter with corner frequency f [Hz]")})


def deriv(number: int, of: Node, time: Node) -> Node:
    """The rate of change; number: of this node in its expression."""
    def evaluate(values: Values, memory: Memory) -> np.ndarray:
        now, t = of.evaluate(values, memory), time.evaluate(values, memory)
        if not len(now):
            return now
        before, t_before = memory.get(number, (np.full(now.shape[1:], np.nan), np.nan))
        change = now - np.concatenate([before[None], now[:-1]])
        step = t - np.concatenate([[t_before], t[:-1]])
        memory[number] = now[-1], t[-1]
        step = np.where(step > 0, step, np.nan)
        return change / step.reshape(len(t), *(1,) * (now.ndim - 1))

    return Node(of.shape, units.times(of.unit, units.read("s"), -1), evaluate)


def lowpass(number: int, of: Node, frequency: Node, time: Node) -> Node:
    """The filtered value. Raises ValueError where the frequency is no single number."""
    if frequency.shape:
        raise ValueError("the frequency of lowpass(x, f) is a single number")

    def evaluate(values: Values, memory: Memory) -> np.ndarray:
        now, t, f = (node.evaluate(values, memory) for node in (of, time, frequency))
        found = np.empty_like(now)
        last, t_last = memory.get(number, (None, np.nan))
        for k in range(len(now)):
            step = t[k] - t_last
            if last is None or not step > 0 or not np.isfinite(last).all():
                last = now[k]
            else:
                last = last + (1.0 - np.exp(-2.0 * np.pi * f[k] * step)) * (now[k] - last)
            t_last = t[k]
            found[k] = last
        if len(now):
            memory[number] = last, t_last
        return found

    return Node(of.shape, of.unit, evaluate)
