"""An engine in the hard one's place that moves models as the soft one does and says of its steps what a test wants: for all that is around the engine."""
from physics.engine import forward
from physics.simulate import hard_unsupported
from physics.simulate.engines import Engine


class StandIn(Engine):
    """ends: for each step from the first what it ends as, 'halved', 'coarse' or '' ('' for all later ones); taken: how many there were; times as slow as the time step says."""

    name = "hard"

    def __init__(self, ends=()):
        self.ends, self.taken = list(ends), 0

    def refuses(self, m):
        return hard_unsupported.issues(m)

    def workspace(self, m, d):
        pass

    def forward(self, m, d, skip):
        return forward.evaluate.call(m, d, skip, 1)

    def step(self, m, d, n):
        if self.refuses(m):
            return -1
        for k in range(n):
            if forward.step_n.call(m, d, 1) != 1:
                return k
            end = self.ends[self.taken] if self.taken < len(self.ends) else ""
            self.taken += 1
            d.hard_status, d.hard_halved = int(end == "coarse"), int(end == "halved")
            d.hard_ncoarse += d.hard_status
            d.hard_nhalved += d.hard_halved
        return n

    def stages(self):
        return ()


def put_in_place(monkeypatch, ends=()) -> StandIn:
    """One in the place of the hard engine until the end of the test."""
    from physics.simulate import engines, warm_up

    engine = StandIn(ends)
    monkeypatch.setattr(warm_up, "hard_is_ready", lambda: True)      # this one needs none of the other's kernels
    monkeypatch.setattr(engines, "ENGINES", (engines.ENGINES[0], engine))
    return engine
