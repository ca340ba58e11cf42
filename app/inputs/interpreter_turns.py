"""How soon a thread that waits for Python's interpreter gets it from one that computes: the physics thread, the hub of devices and the window share one."""
import sys

SWITCH = 0.0002     # s; by default 5 ms, which a thread that decodes or draws keeps all others waiting for


def take_short_turns() -> None:
    """For all threads of this process, from now on."""
    sys.setswitchinterval(SWITCH)
