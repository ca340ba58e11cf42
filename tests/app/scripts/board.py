"""What scripts draw into, for tests."""
from contextlib import contextmanager


class Board:
    """Stands for the window's markers: a list for each owner."""

    def __init__(self):
        self.seen, self.cleared, self.own = [], [], []

    @contextmanager
    def frame(self, owner):
        made = []
        yield made
        self.seen.append((owner, made))

    def owner(self, name):
        return self.own

    def clear(self, owner):
        self.cleared.append(owner)
