"""Work in steps: a picture of very many things is drawn by a generator that pauses, so that a window can answer in between.

Nothing else may draw in the context between two steps; what is not finished is finished or closed first. Closing may happen at any pause: what a pass
has set for itself in the context or in a framebuffer it sets back in a `finally` around its steps.
"""
import numpy as np


def finish(steps):
    """Take all steps at once; what the generator returns."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return end.value


def any_numbers(steps):
    """The same steps, in each of which absurd numbers are silent: NumPy's switch belongs to the thread and must not stay set in a pause."""
    try:
        while True:
            with np.errstate(all='ignore'):
                try:
                    next(steps)
                except StopIteration as end:
                    return end.value
            yield
    finally:
        steps.close()
