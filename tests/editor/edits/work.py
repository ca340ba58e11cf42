"""How much a function does, told without a clock."""
import sys
from collections.abc import Callable


def lines_run(function: Callable, *arguments) -> int:
    """Lines of Python that a call executes."""
    count = 0

    def local(_frame, event, _argument):
        nonlocal count
        count += event == "line"
        return local

    before = sys.gettrace()
    sys.settrace(lambda frame, event, argument: local)
    try:
        function(*arguments)
    finally:
        sys.settrace(before)
    return count
