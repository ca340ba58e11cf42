"""The official exceptions."""


class FatalError(Exception):
    """What the official engine stops at."""


class UnexpectedError(Exception):
    """What the official bindings did not expect."""


for _kind in (FatalError, UnexpectedError):
    _kind.__module__ = "mujoco"
