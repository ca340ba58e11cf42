"""Falling asleep and waking told plainly: sets of trees, no arrays of runs and no cycles."""
from __future__ import annotations

STEPS = 10  # below the tolerance before a tree is ready


class Sleepers:
    """Who is awake, from step to step. `count` of an awake tree: steps below the tolerance so far; groups: sets of trees asleep together."""

    def __init__(self, m):
        self.m, self.groups = m, []
        self.count = dict.fromkeys(range(m.ntree), 0)

    def asleep(self) -> set[int]:
        """All sleeping trees."""
        return set().union(*self.groups)

    def wake(self, tree: int, count: int = 0) -> None:
        """Wake a tree and those that it sleeps with."""
        for group in [g for g in self.groups if tree in g]:
            self.groups.remove(group)
            self.count.update(dict.fromkeys(group, count))

    def touched(self, pairs) -> None:
        """Pairs of trees in contact (None: nothing that moves): a sleeper that an awake tree touches wakes, to the other's count."""
        asleep = self.asleep()
        for a, b in pairs:
            if a is not None and b is not None and (a in asleep) != (b in asleep):
                one, two = (a, b) if b in asleep else (b, a)
                if two in self.asleep():
                    self.wake(two, self.count[one])
                else:
                    self.count[two] = min(self.count[two], self.count[one])

    def rest(self, slow, islands) -> None:
        """slow: trees that are slower than the tolerance and not pushed; islands: sets of awake trees in contact."""
        for t in set(self.count) - self.asleep():
            self.count[t] = min(STEPS, self.count[t] + 1) if t in slow else 0
        alone = [{t} for t in set(self.count) - self.asleep() - set().union(*islands)]
        for group in (*islands, *alone):
            if all(self.count[t] == STEPS for t in group):
                self.groups.append(set(group))
